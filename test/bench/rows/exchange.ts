import type { Caller } from '../../../core/index.ts';
import { password } from '../../core/accounts/admin/open-admin-accounts.ts';
import { openSqlitePorts } from '../../core/accounts/open-sqlite.ts';
import { openProviderFlow, type ProviderFlow } from '../../core/accounts/providers/provider-flow.ts';
import { provider, providerIdentity } from '../../support/scripted-providers.ts';
import { inFolder } from '../folder.ts';
import { type Measure, takeTurns } from '../measure.ts';
import { median } from '../statistics.ts';
import { atMostTimes, type Row } from '../verdict.ts';

const USERS = 64;
const EACH = 8;

const emailOf = (index: number) => `user${index}@example.com`;
const subjectOf = (index: number) => providerIdentity({ subject: `subject-${index}`, email: emailOf(index) });
const callerOf = (index: number): Caller => ({
  address: `192.0.2.${index}`,
  client: `192.0.2.${index}`,
  userAgent: null,
  requestId: null,
  languages: null,
});

const forAllUsers = <T>(call: (index: number) => Promise<T>): Promise<readonly T[]> =>
  Promise.all(Array.from({ length: USERS }, (_, index) => call(index)));

/** Microseconds of each of many concurrent calls. */
const timeCalls = async (calls: (index: number) => Promise<void>): Promise<number> => {
  const startedAt = performance.now();
  await forAllUsers(calls);
  return ((performance.now() - startedAt) * 1_000) / (USERS * EACH);
};

/** Signs all users up with a password and an identity, and signs them in once. */
const signUpAll = async ({ signUp, providers, runFlow, accounts }: ProviderFlow) => {
  for (let index = 0; index < USERS; index += 1) {
    const by = callerOf(index);
    await signUp(emailOf(index));
    const { user, token } = await accounts.logIn({ email: emailOf(index), password }, by).then((answer) => ({
      user: answer.user,
      token: 'token' in answer ? answer.token : '',
    }));
    if (user.id === '') throw new Error('No user was signed up.');
    const flow = await runFlow(subjectOf(index));
    const linkToken = await providers.exchange(flow, by).then(
      () => '',
      (error: { readonly facts?: { readonly details?: { readonly linkToken?: string } } }) =>
        error.facts?.details?.linkToken ?? '',
    );
    await providers.confirmLink(await accounts.authenticate(token), { linkToken }, by);
  }
};

/** The exchange of a flow's code, against a login with a cheap hash; both are on disk before their answers. */
export const exchanging = (measure: Measure): Promise<readonly Row[]> =>
  inFolder(async (folder) => {
    measure.say('exchange: signing up');
    const opened = openSqlitePorts(folder);
    try {
      const core = await openProviderFlow([provider()], opened);
      const { accounts, providers } = core;
      await signUpAll(core);

      const logIn = async (index: number) => {
        for (let time = 0; time < EACH; time += 1)
          await accounts.logIn({ email: emailOf(index), password }, callerOf(index));
      };
      const exchange = async () => {
        const flows = await forAllUsers(async (index) => {
          const own = [];
          for (let time = 0; time < EACH; time += 1) {
            // Keeps only what a client sends: further objects would cost time in garbage collection.
            const { code, verifier } = await core.runFlow(subjectOf(index));
            own.push({ code, verifier });
          }
          return own;
        });
        return timeCalls(async (index) => {
          for (const flow of flows[index] ?? []) await providers.exchange(flow, callerOf(index));
        });
      };
      await timeCalls(logIn);
      await exchange();
      // More rounds, because each is short and the speed of the disk varies.
      const turns = { ...measure, rounds: Math.max(15, measure.rounds) };
      const { product, reference } = await takeTurns(turns, 'exchange', exchange, () => timeCalls(logIn));
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
