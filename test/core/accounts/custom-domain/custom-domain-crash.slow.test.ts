import { expect } from 'chai';
import { userOf } from '../../../../core/accounts/principal.ts';
import { type Accounts, createAccounts, type Principal } from '../../../../core/index.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { caller, intercept, makeMailbox, openPorts } from '../open-core.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;
const TXT = (domain: string) => `_drop-verification.${domain}`;

describe('A custom domain with an interrupted change', () => {
  let context: ReturnType<typeof openPorts>;
  let ports: ReturnType<typeof openPorts>['ports'];
  let accounts: Accounts;
  let offset = 0;
  let ids: { readonly ada: string; readonly bob: string };

  /** Signs up an enterprise user, and returns the id. */
  const makeUser = async (name: string): Promise<string> => {
    const { user } = await makeMailbox(accounts, context.mails).verify(`${name}@example.com`);
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
    if (account === undefined) throw new Error('There is no account.');
    return account;
  };
  /** A principal with the stored user; the use cases of domains need nothing else. */
  const principalOf = async (id: string) => ({ user: userOf(await accountOf(id)) }) as Principal;
  const ownClaim = async () => (await accountOf(ids.ada)).customDomain;
  const publish = async () => {
    const claim = await ownClaim();
    if (claim !== null) context.dns.set(TXT(claim.domain), claim.token);
  };
  const finish = async () => {
    while ((await accounts.background.relay()) > 0);
  };

  /** What ada has before, and the call during which the process dies. */
  const scenarios: Readonly<
    Record<
      string,
      {
        prepare(domain: string): Promise<void>;
        run(process: Accounts, domain: string): Promise<unknown>;
        /** Whether ada has the domain in the end, and whether it is verified. */
        readonly finalState: readonly [boolean, boolean];
      }
    >
  > = {
    'while it is claimed': {
      prepare: async () => undefined,
      run: async (process, domain) => process.setCustomDomain(await principalOf(ids.ada), { domain }, caller),
      finalState: [true, false],
    },
    'while it replaces another domain': {
      prepare: async (domain) => {
        await accounts.setCustomDomain(await principalOf(ids.ada), { domain: `old.${domain}` }, caller);
        await publish();
        await accounts.verifyCustomDomain(await principalOf(ids.ada), caller);
      },
      run: async (process, domain) => process.setCustomDomain(await principalOf(ids.ada), { domain }, caller),
      finalState: [true, false],
    },
    'while it is verified': {
      prepare: async (domain) => {
        await accounts.setCustomDomain(await principalOf(ids.ada), { domain }, caller);
        await publish();
      },
      run: async (process) => process.verifyCustomDomain(await principalOf(ids.ada), caller),
      finalState: [true, true],
    },
    'while it is removed': {
      prepare: async (domain) => {
        await accounts.setCustomDomain(await principalOf(ids.ada), { domain }, caller);
        await publish();
        await accounts.verifyCustomDomain(await principalOf(ids.ada), caller);
      },
      run: async (process) => process.removeCustomDomain(await principalOf(ids.ada), caller),
      finalState: [false, false],
    },
    'in its daily check on the seventh day without the record': {
      prepare: async (domain) => {
        await accounts.setCustomDomain(await principalOf(ids.ada), { domain }, caller);
        await publish();
        await accounts.verifyCustomDomain(await principalOf(ids.ada), caller);
        context.dns.clear(TXT(domain));
        for (let day = 1; day < 7; day += 1) {
          offset += DAY;
          await accounts.background.checkCustomDomains();
        }
        offset += DAY;
      },
      run: (process) => process.background.checkCustomDomains(),
      finalState: [true, false],
    },
  };

  /** A process that dies at the given store call, before it is written or after. */
  const openDyingProcess = (diesAt: number, isWritten: boolean) => {
    let calls = 0;
    const live = async (call: () => Promise<unknown>): Promise<unknown> => {
      calls += 1;
      if (calls === diesAt && isWritten) await call();
      if (calls >= diesAt) throw new Error('The process is dead.');
      return call();
    };
    const dying = {
      ...ports,
      accounts: intercept(ports.accounts, live),
      customDomains: intercept(ports.customDomains, live),
    };
    return { process: createAccounts(dying), hasDied: () => calls >= diesAt };
  };

  /** Account and record agree about a domain, or will after its next verification or daily check. */
  const expectSound = async (domain: string) => {
    const claim = await ownClaim();
    const record = await ports.customDomains.find(domain);
    if (claim?.domain !== domain) {
      // The domain is free for the next user.
      await accounts.setCustomDomain(await principalOf(ids.bob), { domain }, caller);
      await accounts.removeCustomDomain(await principalOf(ids.bob), caller);
      expect(await ports.customDomains.find(domain)).to.equal(undefined);
      return;
    }
    expect(record?.claims.map(({ token }) => token)).to.include(claim.token);
    if (claim.verified) expect(record?.owner?.userId).to.equal(ids.ada);
    if (record?.owner !== null) {
      const refusal = await rejectionOf(async () =>
        accounts.setCustomDomain(await principalOf(ids.bob), { domain }, caller),
      );
      expect(refusal).to.have.property('code', 'domain_taken');
    }
  };

  /** The relay has deleted the record of a domain that was given up. */
  const expectFreed = async (domain: string) =>
    expect(await ports.customDomains.find(domain)).to.equal(undefined);

  const actionsOn = async (domain: string): Promise<readonly string[]> => {
    const rows = await ports.audit.list(1, 100_000);
    const contents = rows.map(({ content }) => JSON.parse(content ?? '{}'));
    return contents
      .filter(({ before, after }) => before?.domain === domain || after?.domain === domain)
      .filter(({ target }) => target === ids.ada)
      .map(({ action }) => action);
  };

  for (const [when, { prepare, run, finalState }] of Object.entries(scenarios)) {
    for (const isWritten of [false, true]) {
      const moment = isWritten ? 'after' : 'before';
      it(`is consistent and audited once if the process dies ${moment} a store call ${when}`, async () => {
        let attempts = 0;
        for (let isAlive = false; !isAlive; ) {
          attempts += 1;
          const domain = `try${attempts}.dev`;
          await prepare(domain);
          const { process, hasDied } = openDyingProcess(attempts, isWritten);
          await run(process, domain).catch(() => undefined);
          isAlive = !hasDied();

          await finish();
          const names = [`old.${domain}`, ...(when === 'while it is removed' ? [domain] : [])];
          for (const name of names) if ((await ownClaim())?.domain !== name) await expectFreed(name);
          offset += MINUTE;
          await expectSound(domain);
          await expectSound(`old.${domain}`);

          // A repeated call succeeds, and a day later no change is half done.
          await run(accounts, domain);
          offset += DAY;
          await accounts.background.checkCustomDomains();
          await finish();
          for (const name of [domain, `old.${domain}`]) {
            await expectSound(name);
            const actions = await actionsOn(name);
            expect(new Set(actions).size, `${name}: ${actions}`).to.equal(actions.length);
          }
          const { domain: finalDomain, verified } = (await ownClaim()) ?? { domain: null, verified: false };
          expect([finalDomain === domain, verified]).to.deep.equal(finalState);
          const owner = (await ports.customDomains.find(domain))?.owner ?? null;
          expect(owner?.userId).to.equal(verified ? ids.ada : undefined);
          await accounts.removeCustomDomain(await principalOf(ids.ada), caller);
          await finish();
          for (const name of [domain, `old.${domain}`]) await expectFreed(name);
        }
        expect(attempts, 'calls to a store').to.be.above(4);
      });
    }
  }

  /** A process that dies before it writes the account. */
  const openDyingWriter = () => {
    const save = () => Promise.reject(new Error('The process is dead.'));
    return createAccounts({ ...ports, accounts: { ...ports.accounts, save } });
  };

  it('is free after a day if the process dies between the two writes of its claim', async () => {
    await rejectionOf(async () =>
      openDyingWriter().setCustomDomain(await principalOf(ids.ada), { domain: 'half.dev' }, caller),
    );
    expect((await ports.customDomains.find('half.dev'))?.claims).to.have.length(1);
    offset += DAY;
    expect(await accounts.background.checkCustomDomains()).to.equal(1);
    await expectFreed('half.dev');
  });

  it('is free at once if its user gives it up during the verification', async () => {
    await accounts.setCustomDomain(await principalOf(ids.ada), { domain: 'lost.dev' }, caller);
    await publish();
    const ada = await principalOf(ids.ada);
    const { customDomains } = ports;
    const process = createAccounts({
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
    const refusal = await rejectionOf(() => process.verifyCustomDomain(ada, caller));
    expect(refusal).to.have.property('code', 'domain_not_set');
    await expectFreed('lost.dev');
  });

  it('is verified by the next daily check if the process dies during its verification', async () => {
    await accounts.setCustomDomain(await principalOf(ids.ada), { domain: 'half.dev' }, caller);
    await publish();
    await rejectionOf(async () => openDyingWriter().verifyCustomDomain(await principalOf(ids.ada), caller));
    expect((await ownClaim())?.verified).to.equal(false);
    expect((await ports.customDomains.find('half.dev'))?.owner?.userId).to.equal(ids.ada);

    offset += DAY;
    await accounts.background.checkCustomDomains();
    await finish();
    expect((await ownClaim())?.verified).to.equal(true);
    expect(await actionsOn('half.dev')).to.deep.equal(['domain.claimed', 'domain.verified']);
  });
});
