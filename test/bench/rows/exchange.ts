import type { Caller } from '../../../core/index.ts';
import { password } from '../../core/accounts/admin/open-admin-accounts.ts';
import { openSqlitePorts } from '../../core/accounts/open-sqlite.ts';
import { openProviderFlow, type ProviderFlow } from '../../core/accounts/providers/provider-flow.ts';
import { person, provider } from '../../support/scripted-providers.ts';
import { inFolder } from '../folder.ts';
import { type Measure, takeTurns } from '../measure.ts';
import { median } from '../statistics.ts';
import { atMostTimes, type Row } from '../verdict.ts';

const USERS = 64;
const EACH = 8;

const emailOf = (place: number) => `user${place}@example.com`;
const subjectOf = (place: number) => person({ subject: `subject-${place}`, email: emailOf(place) });
const callerOf = (place: number): Caller => ({
  address: `192.0.2.${place}`,
  client: `192.0.2.${place}`,
  userAgent: null,
  requestId: null,
  languages: null,
});

const everybody = <T>(call: (place: number) => Promise<T>): Promise<readonly T[]> =>
  Promise.all(Array.from({ length: USERS }, (_, place) => call(place)));

/** Microseconds of one of many calls under way. */
const timed = async (calls: (place: number) => Promise<void>): Promise<number> => {
  const began = performance.now();
  await everybody(calls);
  return ((performance.now() - began) * 1_000) / (USERS * EACH);
};

/** Everybody has an account with a password and an identity, and was here before. */
const signUpAll = async ({ signUp, providers, runFlow, accounts }: ProviderFlow) => {
  for (let place = 0; place < USERS; place += 1) {
    const by = callerOf(place);
    await signUp(emailOf(place));
    const { user, token } = await accounts.logIn({ email: emailOf(place), password }, by).then((answer) => ({
      user: answer.user,
      token: 'token' in answer ? answer.token : '',
    }));
    if (user.id === '') throw new Error('Nobody was signed up.');
    const trip = await runFlow(subjectOf(place));
    const linkToken = await providers.exchange(trip, by).then(
      () => '',
      (error: { readonly facts?: { readonly details?: { readonly linkToken?: string } } }) =>
        error.facts?.details?.linkToken ?? '',
    );
    await providers.confirmLink(await accounts.authenticate(token), { linkToken }, by);
  }
};

/** The exchange of a trip's code, beside a login whose hash costs nothing; both on disk before they are answered. */
export const exchanging = (measure: Measure): Promise<readonly Row[]> =>
  inFolder(async (folder) => {
    measure.say('exchange: signing up');
    const opened = openSqlitePorts(folder);
    try {
      const core = await openProviderFlow([provider()], opened);
      const { accounts, providers } = core;
      await signUpAll(core);

      const logIn = async (place: number) => {
        for (let time = 0; time < EACH; time += 1)
          await accounts.logIn({ email: emailOf(place), password }, callerOf(place));
      };
      const exchange = async () => {
        const trips = await everybody(async (place) => {
          const own = [];
          for (let time = 0; time < EACH; time += 1) {
            // What a client presents, and nothing else: the rest would be carried about by the collector of garbage.
            const { code, verifier } = await core.runFlow(subjectOf(place));
            own.push({ code, verifier });
          }
          return own;
        });
        return timed(async (place) => {
          for (const trip of trips[place] ?? []) await providers.exchange(trip, callerOf(place));
        });
      };
      await timed(logIn);
      await exchange();
      // Each round takes half a second, and the disk has moods.
      const turns = { ...measure, rounds: Math.max(15, measure.rounds) };
      const { product, reference } = await takeTurns(turns, 'exchange', exchange, () => timed(logIn));
      return [
        atMostTimes(1.3, {
          row: `exchange of a provider's code, ${USERS} in flight`,
          unit: 'us',
          product: median(product),
          reference: median(reference),
          against: 'a login without its hash',
        }),
      ];
    } finally {
      await opened.close();
    }
  });
