import type { AccountsSchemas } from '../client/index.ts';
import { askPasskey, createPasskey, type PasskeyCredential } from '../client/passkeys.ts';
import { accounts, type Outcome, outcome, type Problem, problem } from './api.ts';

type Answer = AccountsSchemas['PasskeyAnswer'];
type PasskeyChallenge = AccountsSchemas['AskedPasskey'];

/** The error of a browser without a passkey, or whose window the user closed. */
const problemOf = (error: unknown): Problem =>
  problem(
    error instanceof DOMException && error.name === 'InvalidStateError'
      ? 'passkey_taken'
      : 'passkey_not_shown',
  );

const catchRefusal = async (asking: Promise<PasskeyCredential>): Promise<Outcome<PasskeyCredential>> => {
  try {
    return { data: await asking };
  } catch (error) {
    return { problem: problemOf(error) };
  }
};

/** Asks the browser for a passkey that answers a challenge. */
const answerTo = async (
  { data, problem: refused }: Outcome<PasskeyChallenge>,
  more: Pick<CredentialRequestOptions, 'mediation' | 'signal'> = {},
): Promise<Outcome<Answer>> => {
  if (data === undefined) return { problem: refused };
  const answer = await catchRefusal(askPasskey(data.options, more));
  if (answer.data === undefined) return answer;
  return { data: { flow: data.flow, credential: answer.data } };
};

const beginSignIn = () => outcome(accounts.POST('/api/auth/login/passkey/begin'));

const endSignIn = async (answer: Outcome<Answer>): Promise<Problem | undefined> => {
  if (answer.data === undefined) return answer.problem;
  return (await outcome(accounts.POST('/api/auth/login/passkey', { body: answer.data }))).problem;
};

/** Stops the offer in the field, since browsers handle one passkey request at a time. */
let stopOffer = (): void => undefined;

/** Signs in by a passkey that the user chooses in the browser. */
export const signInByPasskey = async (): Promise<Problem | undefined> => {
  stopOffer();
  return endSignIn(await answerTo(await beginSignIn()));
};

/** Milliseconds; a challenge is valid for 5 minutes. */
const OFFERED_FOR = 240_000;

/**
 * Offers passkeys in the email field. Calls `onEnd` with the result of a chosen one. Returns the function that ends the
 * offer.
 */
export const offerPasskeys = (onEnd: (problem: Problem | undefined) => unknown): (() => void) => {
  let aborter = new AbortController();
  const offer = async () => {
    const { signal } = aborter;
    const challenge = await beginSignIn();
    if (signal.aborted || challenge.data === undefined) return;
    const answer = await answerTo(challenge, { mediation: 'conditional', signal });
    if (answer.data !== undefined) onEnd(await endSignIn(answer));
  };
  const timer = setInterval(() => {
    aborter.abort();
    aborter = new AbortController();
    void offer();
  }, OFFERED_FOR);
  stopOffer = () => {
    clearInterval(timer);
    aborter.abort();
  };
  void offer();
  return stopOffer;
};

/** Completes the second step of a sign-in by a passkey. */
export const answerSecondStep = async (challenge: {
  readonly email: string;
  readonly pendingToken: string;
}): Promise<Problem | undefined> => {
  const answer = await answerTo(
    await outcome(accounts.POST('/api/auth/login/second/begin', { body: challenge })),
  );
  if (answer.data === undefined) return answer.problem;
  const body = { ...challenge, passkey: answer.data };
  return (await outcome(accounts.POST('/api/auth/login', { body }))).problem;
};

/** Gives a fresh proof by a passkey. */
export const proveByPasskey = async (): Promise<Problem | undefined> => {
  const answer = await answerTo(await outcome(accounts.POST('/api/auth/reauthenticate/passkey/begin')));
  if (answer.data === undefined) return answer.problem;
  const body = { passkey: answer.data };
  return (await outcome(accounts.POST('/api/auth/reauthenticate', { body }))).problem;
};

/** Creates a passkey and adds it to the account. */
export const addPasskey = async (): Promise<Problem | undefined> => {
  const { data, problem: refused } = await outcome(accounts.POST('/api/auth/passkeys/begin'));
  if (data === undefined) return refused;
  const created = await catchRefusal(createPasskey(data.options));
  if (created.data === undefined) return created.problem;
  const body = { flow: data.flow, credential: created.data };
  return (await outcome(accounts.POST('/api/auth/passkeys', { body }))).problem;
};
