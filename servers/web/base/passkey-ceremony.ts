import type { AccountsSchemas } from '../../client/index.ts';
import { askPasskey, type PasskeyCredential } from '../../client/passkeys.ts';
import { makeProblem, type Outcome, type Problem } from '../kit/problem.ts';
import { accounts, asWrongPassword, outcome } from './api.ts';
import type { Challenge } from './challenge.ts';

export type PasskeyAnswer = AccountsSchemas['PasskeyAnswer'];
type PasskeyChallenge = AccountsSchemas['AskedPasskey'];

/** Turns a request to the browser into its outcome. Browsers do not tell a missing passkey from a cancelled request. */
export const outcomeOfBrowser = async (
  request: Promise<PasskeyCredential>,
): Promise<Outcome<PasskeyCredential>> => {
  try {
    return { data: await request };
  } catch (error) {
    // By this error a browser says that the device already has a passkey of the account.
    const isTaken = error instanceof DOMException && error.name === 'InvalidStateError';
    return { problem: makeProblem(isTaken ? 'passkey_taken' : 'passkey_not_shown') };
  }
};

/** Asks the browser for a passkey that answers a challenge. */
export const answerTo = async (
  { data, problem: refused }: Outcome<PasskeyChallenge>,
  requestOptions: Pick<CredentialRequestOptions, 'mediation' | 'signal'> = {},
): Promise<Outcome<PasskeyAnswer>> => {
  if (data === undefined) return { problem: refused };
  const answer = await outcomeOfBrowser(askPasskey(data.options, requestOptions));
  return answer.data === undefined ? answer : { data: { flow: data.flow, credential: answer.data } };
};

export const beginSignIn = () => outcome(accounts.POST('/api/auth/login/passkey/begin'));

export const choosePasskey = async (): Promise<Outcome<PasskeyAnswer>> => answerTo(await beginSignIn());

/** A passkey as the second factor of a pending sign-in. */
export const answerSecondStep = async (
  body: Pick<Challenge, 'email' | 'pendingToken'>,
): Promise<Outcome<PasskeyAnswer>> =>
  answerTo(await outcome(accounts.POST('/api/auth/login/second/begin', { body })));

/**
 * Sends the passkey alone first: one that verified the user, for example by a PIN, needs no password. If the passkey alone is
 * refused, sends it again with the `password` that the user has typed.
 */
export const proveByPasskey = async (password?: string): Promise<Problem | undefined> => {
  const begun = await outcome(accounts.POST('/api/auth/reauthenticate/passkey/begin'));
  const { data: passkey, problem } = await answerTo(begun);
  if (passkey === undefined) return problem;
  const prove = async (body: { readonly passkey: PasskeyAnswer; readonly password?: string }) =>
    (await outcome(accounts.POST('/api/auth/reauthenticate', { body }))).problem;
  const refusal = await prove({ passkey });
  return password && refusal?.code === 'invalid_passkey'
    ? asWrongPassword(await prove({ passkey, password }))
    : refusal;
};
