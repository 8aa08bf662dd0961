import { expect } from 'chai';
import { inRounds, race } from '../../../contracts/race.ts';
import { person, provider } from '../../../support/scripted-providers.ts';
import { useTempFolder } from '../../../support/temp-folder.ts';
import { caller, codeOf, password } from '../open-core.ts';
import { openSqlitePorts } from '../open-sqlite.ts';
import { linkTokenOf, openTravel, tokenOf } from './provider-flow.ts';

describe('Sign-ins with one identity at once', () => {
  const folder = useTempFolder();

  it('found one account, and all get into it', async () => {
    const { travel, providers, accounts, accountAt } = await openTravel();
    const trips = await Promise.all(Array.from({ length: 20 }, () => travel(person())));
    const answers = await Promise.all(trips.map((trip) => providers.exchange(trip, caller)));
    const users = await Promise.all(
      answers.map(async (answer) => (await accounts.authenticate(tokenOf(answer))).user.id),
    );
    const made = await accountAt('ada@example.com');
    expect(new Set(users)).to.deep.equal(new Set([made?.id]));
    expect(made?.loginKeys).to.have.length(1);
  });

  it('found one account, too, when the provider names another email each time', async () => {
    const { travel, providers, accounts, accountAt } = await openTravel();
    const emails = Array.from({ length: 10 }, (_, place) => `ada${place}@example.com`);
    const trips = await Promise.all(emails.map((email) => travel(person({ email }))));
    const answers = await Promise.all(trips.map((trip) => providers.exchange(trip, caller)));
    const users = await Promise.all(
      answers.map(async (answer) => (await accounts.authenticate(tokenOf(answer))).user.id),
    );
    expect(new Set(users).size).to.equal(1);
    const made = await Promise.all(emails.map(accountAt));
    expect(made.filter((one) => one?.verified === true)).to.have.length(1);
    // Those that lost are registrations that nobody can verify, and go with the other unverified ones.
    for (const lost of made.filter((one) => one?.verified === false))
      expect(lost).to.deep.include({ loginKeys: [], passwordHash: null });
  });

  it('spend a code once (A9)', async () => {
    await inRounds(async () => {
      const { travel, providers } = await openTravel();
      const trip = await travel(person());
      const outcomes = await race(50, () => codeOf(providers.exchange(trip, caller)));
      expect(outcomes.toSorted()).to.deep.equal([
        'done',
        ...Array.from({ length: 49 }, () => 'invalid_flow'),
      ]);
    });
  });

  it('spend a code once for an account that is there, and leave one session of it (A9)', async () => {
    await inRounds(async () => {
      const { travel, providers, accounts, signIn } = await openTravel();
      const who = await accounts.authenticate(tokenOf(await signIn()));
      const { session: first } = who;
      const trip = await travel(person());
      const outcomes = await race(50, () => codeOf(providers.exchange(trip, caller)));
      expect(outcomes.toSorted()).to.deep.equal([
        'done',
        ...Array.from({ length: 49 }, () => 'invalid_flow'),
      ]);
      const { sessions } = await accounts.listSessions(who);
      expect(sessions.map(({ id }) => id).filter((id) => id !== first.id)).to.have.length(1);
      expect(sessions.map(({ id }) => id)).to.include(first.id);
    });
  });

  it('take a link token once', async () => {
    await inRounds(async () => {
      const { providers, signIn, signUp } = await openTravel();
      const who = await (await signUp('ada@example.com')).who();
      const linkToken = linkTokenOf(await signIn().catch((error: unknown) => error));
      const outcomes = await race(20, () => codeOf(providers.confirmLink(who, { linkToken }, caller)));
      expect(outcomes.toSorted()).to.deep.equal([
        'done',
        ...Array.from({ length: 19 }, () => 'invalid_flow'),
      ]);
    });
  });

  it('write the session together with the code being spent', async () => {
    const opened = openSqlitePorts(folder());
    try {
      const { travel, providers, signIn } = await openTravel([provider()], opened);
      await signIn();
      const trip = await travel(person());
      const before = opened.database.counts();
      await providers.exchange(trip, caller);
      const { commits, units } = opened.database.counts();
      expect([commits - before.commits, units - before.units]).to.deep.equal([1, 2]);
    } finally {
      await opened.close();
    }
  });

  it('leave nothing of a stranger who registers the email meanwhile', async () => {
    await inRounds(async () => {
      const { travel, providers, accounts, accountAt, codeTo } = await openTravel();
      const email = 'ada@example.com';
      const trip = await travel(person());
      await accounts.register({ email, password }, caller);
      const code = await codeTo(email);
      const [signedIn, verified] = await Promise.allSettled([
        providers.exchange(trip, caller),
        accounts.verifyEmail({ email, code, password }, caller),
        accounts.register({ email, password: 'another of a stranger' }, caller),
      ]);
      const after = await accountAt(email);
      expect(after?.verified).to.equal(true);
      // Whoever came first has it alone: by the mailed code with its password, or by the identity.
      if (signedIn.status === 'fulfilled') {
        expect(verified.status).to.equal('rejected');
        expect(after).to.deep.include({ passwordHash: null });
      } else {
        expect(signedIn.reason).to.include({ code: 'account_exists' });
        expect(after?.loginKeys).to.deep.equal([]);
      }
    });
  });
});
