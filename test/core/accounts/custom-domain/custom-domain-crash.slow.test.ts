import { expect } from 'chai';
import { userOf } from '../../../../core/accounts/principal.ts';
import { type Accounts, createAccounts, type Principal } from '../../../../core/index.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { byMail, caller, openPorts, watched } from '../open-core.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;
const TXT = (domain: string) => `_drop-verification.${domain}`;

describe('A custom domain whose process dies', () => {
  let context: ReturnType<typeof openPorts>;
  let ports: ReturnType<typeof openPorts>['ports'];
  let accounts: Accounts;
  let offset = 0;
  let ids: { readonly ada: string; readonly bob: string };

  /** An enterprise user; gives the id. */
  const makeUser = async (name: string): Promise<string> => {
    const { user } = await byMail(accounts, context.mails).verify(`${name}@example.com`);
    const tier = { service: 'DROP', tier: 'enterprise' };
    await accounts.setUserEntitlement(undefined, user.id, tier, caller);
    return user.id;
  };
  beforeEach(async () => {
    offset = 0;
    context = openPorts();
    ports = { ...context.ports, clock: { now: () => context.ports.clock.now() + offset } };
    accounts = createAccounts(ports);
    ids = { ada: await makeUser('ada'), bob: await makeUser('bob') };
  });

  const accountOf = async (id: string) => {
    const account = await ports.accounts.find(id);
    if (account === undefined) throw new Error('The account is gone.');
    return account;
  };
  /** As the store has the user now; the use cases of domains ask for nothing else. */
  const who = async (id: string) => ({ user: userOf(await accountOf(id)) }) as Principal;
  const own = async () => (await accountOf(ids.ada)).customDomain;
  const publish = async () => {
    const claim = await own();
    if (claim !== null) context.dns.set(TXT(claim.domain), claim.token);
  };
  const finish = async () => {
    while ((await accounts.background.relay()) > 0);
  };

  /** What ada has before, and what the process does when it dies. */
  const deeds: Readonly<
    Record<
      string,
      {
        prepare(domain: string): Promise<void>;
        run(use: Accounts, domain: string): Promise<unknown>;
        /** Whether ada has the domain then, and verified. */
        readonly comesTo: readonly [boolean, boolean];
      }
    >
  > = {
    'while it is set': {
      prepare: async () => undefined,
      run: async (use, domain) => use.setCustomDomain(await who(ids.ada), { domain }, caller),
      comesTo: [true, false],
    },
    'while it takes the place of another': {
      prepare: async (domain) => {
        await accounts.setCustomDomain(await who(ids.ada), { domain: `old.${domain}` }, caller);
        await publish();
        await accounts.verifyCustomDomain(await who(ids.ada), caller);
      },
      run: async (use, domain) => use.setCustomDomain(await who(ids.ada), { domain }, caller),
      comesTo: [true, false],
    },
    'while it is verified': {
      prepare: async (domain) => {
        await accounts.setCustomDomain(await who(ids.ada), { domain }, caller);
        await publish();
      },
      run: async (use) => use.verifyCustomDomain(await who(ids.ada), caller),
      comesTo: [true, true],
    },
    'while it is removed': {
      prepare: async (domain) => {
        await accounts.setCustomDomain(await who(ids.ada), { domain }, caller);
        await publish();
        await accounts.verifyCustomDomain(await who(ids.ada), caller);
      },
      run: async (use) => use.removeCustomDomain(await who(ids.ada), caller),
      comesTo: [false, false],
    },
    'while it is looked over on its seventh day without the record': {
      prepare: async (domain) => {
        await accounts.setCustomDomain(await who(ids.ada), { domain }, caller);
        await publish();
        await accounts.verifyCustomDomain(await who(ids.ada), caller);
        context.dns.clear(TXT(domain));
        for (let day = 1; day < 7; day += 1) {
          offset += DAY;
          await accounts.background.checkCustomDomains();
        }
        offset += DAY;
      },
      run: (use) => use.background.checkCustomDomains(),
      comesTo: [true, false],
    },
  };

  /** Ports of a process that dies with the given call to a store. */
  const mortal = (diesAt: number, landed: boolean) => {
    let calls = 0;
    const live = async (call: () => Promise<unknown>): Promise<unknown> => {
      calls += 1;
      if (calls === diesAt && landed) await call();
      if (calls >= diesAt) throw new Error('The process is dead.');
      return call();
    };
    const dying = {
      ...ports,
      accounts: watched(ports.accounts, live),
      customDomains: watched(ports.customDomains, live),
    };
    return { use: createAccounts(dying), hasDied: () => calls >= diesAt };
  };

  /** Account and record say the same of a domain, or will as soon as it is verified or looked over again. */
  const expectSound = async (domain: string) => {
    const claim = await own();
    const record = await ports.customDomains.find(domain);
    if (claim?.domain !== domain) {
      // Nobody stands in the way of the next one.
      await accounts.setCustomDomain(await who(ids.bob), { domain }, caller);
      await accounts.removeCustomDomain(await who(ids.bob), caller);
      expect(await ports.customDomains.find(domain)).to.equal(undefined);
      return;
    }
    expect(record?.claims.map(({ token }) => token)).to.include(claim.token);
    if (claim.verified) expect(record?.owner?.userId).to.equal(ids.ada);
    if (record?.owner !== null) {
      const refused = await rejectionOf(async () =>
        accounts.setCustomDomain(await who(ids.bob), { domain }, caller),
      );
      expect(refused).to.have.property('code', 'domain_taken');
    }
  };

  /** Given up, so that the relay has taken it out of the record. */
  const expectFreed = async (domain: string) =>
    expect(await ports.customDomains.find(domain)).to.equal(undefined);

  const actionsOn = async (domain: string): Promise<readonly string[]> => {
    const rows = await ports.audit.list(1, 100_000);
    const told = rows.map(({ content }) => JSON.parse(content ?? '{}'));
    return told
      .filter(({ before, after }) => before?.domain === domain || after?.domain === domain)
      .filter(({ target }) => target === ids.ada)
      .map(({ action }) => action);
  };

  for (const [when, { prepare, run, comesTo }] of Object.entries(deeds)) {
    for (const landed of [false, true]) {
      const moment = landed ? 'right after' : 'right before';
      it(`${when}, ${moment} any call to a store, stays in nobody’s way and is told once`, async () => {
        let tries = 0;
        for (let lives = false; !lives; ) {
          tries += 1;
          const domain = `try${tries}.dev`;
          await prepare(domain);
          const { use, hasDied } = mortal(tries, landed);
          await run(use, domain).catch(() => undefined);
          lives = !hasDied();

          await finish();
          const names = [`old.${domain}`, ...(when === 'while it is removed' ? [domain] : [])];
          for (const name of names) if ((await own())?.domain !== name) await expectFreed(name);
          offset += MINUTE;
          await expectSound(domain);
          await expectSound(`old.${domain}`);

          // Whoever tries again gets there, and a day later nothing is half done.
          await run(accounts, domain);
          offset += DAY;
          await accounts.background.checkCustomDomains();
          await finish();
          for (const name of [domain, `old.${domain}`]) {
            await expectSound(name);
            const actions = await actionsOn(name);
            expect(new Set(actions).size, `${name}: ${actions}`).to.equal(actions.length);
          }
          const { domain: left, verified } = (await own()) ?? { domain: null, verified: false };
          expect([left === domain, verified]).to.deep.equal(comesTo);
          const owner = (await ports.customDomains.find(domain))?.owner ?? null;
          expect(owner?.userId).to.equal(verified ? ids.ada : undefined);
          await accounts.removeCustomDomain(await who(ids.ada), caller);
          await finish();
          for (const name of [domain, `old.${domain}`]) await expectFreed(name);
        }
        expect(tries, 'calls to a store').to.be.above(4);
      });
    }
  }

  /** A process that dies as it writes the account. */
  const dying = () => {
    const save = () => Promise.reject(new Error('The process is dead.'));
    return createAccounts({ ...ports, accounts: { ...ports.accounts, save } });
  };

  it('between the two writes of a claim, leaves nothing for longer than a day', async () => {
    await rejectionOf(async () =>
      dying().setCustomDomain(await who(ids.ada), { domain: 'half.dev' }, caller),
    );
    expect((await ports.customDomains.find('half.dev'))?.claims).to.have.length(1);
    offset += DAY;
    expect(await accounts.background.checkCustomDomains()).to.equal(1);
    await expectFreed('half.dev');
  });

  it('is free again at once where its user gave it up while it was verified', async () => {
    await accounts.setCustomDomain(await who(ids.ada), { domain: 'lost.dev' }, caller);
    await publish();
    const ada = await who(ids.ada);
    const { customDomains } = ports;
    const use = createAccounts({
      ...ports,
      customDomains: {
        ...customDomains,
        save: async (...args) => {
          const isSaved = await customDomains.save(...args);
          await ports.accounts.save({ ...(await accountOf(ids.ada)), customDomain: null });
          return isSaved;
        },
        remove: async (...args) => {
          await new Promise(setImmediate);
          return customDomains.remove(...args);
        },
      },
    });
    const refusal = await rejectionOf(() => use.verifyCustomDomain(ada, caller));
    expect(refusal).to.have.property('code', 'domain_not_set');
    await expectFreed('lost.dev');
  });

  it('between the two writes of its verification, is verified with the next daily look', async () => {
    await accounts.setCustomDomain(await who(ids.ada), { domain: 'half.dev' }, caller);
    await publish();
    await rejectionOf(async () => dying().verifyCustomDomain(await who(ids.ada), caller));
    expect((await own())?.verified).to.equal(false);
    expect((await ports.customDomains.find('half.dev'))?.owner?.userId).to.equal(ids.ada);

    offset += DAY;
    await accounts.background.checkCustomDomains();
    await finish();
    expect((await own())?.verified).to.equal(true);
    expect(await actionsOn('half.dev')).to.deep.equal(['domain.claimed', 'domain.verified']);
  });
});
