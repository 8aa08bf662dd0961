import { expect } from 'chai';
import { inRounds, race } from '../../../contracts/race.ts';
import { provider, providerIdentity } from '../../../support/scripted-providers.ts';
import { useTempFolder } from '../../../support/temp-folder.ts';
import { caller, codeOf, password } from '../open-core.ts';
import { openSqlitePorts } from '../open-sqlite.ts';
import { linkTokenOf, openProviderFlow, tokenOf } from './provider-flow.ts';

describe('Concurrent sign-ins with one identity', () => {
  const folder = useTempFolder();

  it('create one account, and all open it', async () => {
    const { runFlow, providers, accounts, accountAt } = await openProviderFlow();
    const flowCodes = await Promise.all(Array.from({ length: 20 }, () => runFlow(providerIdentity())));
    const answers = await Promise.all(flowCodes.map((flowCode) => providers.exchange(flowCode, caller)));
    const users = await Promise.all(
      answers.map(async (answer) => (await accounts.authenticate(tokenOf(answer))).user.id),
    );
    const account = await accountAt('ada@example.com');
    expect(new Set(users)).to.deep.equal(new Set([account?.id]));
    expect(account?.loginKeys).to.have.length(1);
  });

  it('create one verified account if the provider returns a different email each time', async () => {
    const { runFlow, providers, accounts, accountAt } = await openProviderFlow();
    const emails = Array.from({ length: 10 }, (_, place) => `ada${place}@example.com`);
    const flowCodes = await Promise.all(emails.map((email) => runFlow(providerIdentity({ email }))));
    const answers = await Promise.all(flowCodes.map((flowCode) => providers.exchange(flowCode, caller)));
    const users = await Promise.all(
      answers.map(async (answer) => (await accounts.authenticate(tokenOf(answer))).user.id),
    );
    expect(new Set(users).size).to.equal(1);
    const candidates = await Promise.all(emails.map(accountAt));
    expect(candidates.filter((account) => account?.verified === true)).to.have.length(1);
    // Nobody can verify the other registrations; they are purged with unverified accounts.
    for (const registration of candidates.filter((account) => account?.verified === false))
      expect(registration).to.deep.include({ loginKeys: [], passwordHash: null });
  });

  it('redeem a code once (A9)', async () => {
    await inRounds(async () => {
      const { runFlow, providers } = await openProviderFlow();
      const flowCode = await runFlow(providerIdentity());
      const outcomes = await race(50, () => codeOf(providers.exchange(flowCode, caller)));
      expect(outcomes.toSorted()).to.deep.equal([
        'done',
        ...Array.from({ length: 49 }, () => 'invalid_flow'),
      ]);
    });
  });

  it('redeem a code once for an existing account, and open one session (A9)', async () => {
    await inRounds(async () => {
      const { runFlow, providers, accounts, signIn } = await openProviderFlow();
      const principal = await accounts.authenticate(tokenOf(await signIn()));
      const { session: first } = principal;
      const flowCode = await runFlow(providerIdentity());
      const outcomes = await race(50, () => codeOf(providers.exchange(flowCode, caller)));
      expect(outcomes.toSorted()).to.deep.equal([
        'done',
        ...Array.from({ length: 49 }, () => 'invalid_flow'),
      ]);
      const { sessions } = await accounts.listSessions(principal);
      expect(sessions.map(({ id }) => id).filter((id) => id !== first.id)).to.have.length(1);
      expect(sessions.map(({ id }) => id)).to.include(first.id);
    });
  });

  it('redeem a link token once', async () => {
    await inRounds(async () => {
      const { providers, signIn, signUp } = await openProviderFlow();
      const principal = await (await signUp('ada@example.com')).principal();
      const linkToken = linkTokenOf(await signIn().catch((error: unknown) => error));
      const outcomes = await race(20, () => codeOf(providers.confirmLink(principal, { linkToken }, caller)));
      expect(outcomes.toSorted()).to.deep.equal([
        'done',
        ...Array.from({ length: 19 }, () => 'invalid_flow'),
      ]);
    });
  });

  it('write the session and the redeemed code in one commit', async () => {
    const core = openSqlitePorts(folder());
    try {
      const { runFlow, providers, signIn } = await openProviderFlow([provider()], core);
      await signIn();
      const flowCode = await runFlow(providerIdentity());
      const before = core.database.counts();
      await providers.exchange(flowCode, caller);
      const { commits, units } = core.database.counts();
      expect([commits - before.commits, units - before.units]).to.deep.equal([1, 2]);
    } finally {
      await core.close();
    }
  });

  it('open the account by the identity or a concurrently used mailed code, never by both', async () => {
    await inRounds(async () => {
      const { runFlow, providers, accounts, accountAt, codeTo } = await openProviderFlow();
      const email = 'ada@example.com';
      const flowCode = await runFlow(providerIdentity());
      await accounts.register({ email, password }, caller);
      const code = await codeTo(email);
      const [signInOutcome, verifyOutcome] = await Promise.allSettled([
        providers.exchange(flowCode, caller),
        accounts.verifyEmail({ email, code, password }, caller),
        accounts.register({ email, password: 'another of a stranger' }, caller),
      ]);
      const account = await accountAt(email);
      expect(account?.verified).to.equal(true);
      // The first call owns the account alone: by the mailed code with its password, or by the identity.
      if (signInOutcome.status === 'fulfilled') {
        expect(verifyOutcome.status).to.equal('rejected');
        expect(account).to.deep.include({ passwordHash: null });
      } else {
        expect(signInOutcome.reason).to.include({ code: 'account_exists' });
        expect(account?.loginKeys).to.deep.equal([]);
      }
    });
  });
});
