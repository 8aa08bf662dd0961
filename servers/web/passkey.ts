import type { AccountsSchemas } from '../client/index.ts';
import { askPasskey, createPasskey, type PasskeyCredential } from '../client/passkeys.ts';
import { accounts, type Outcome, outcome, type Problem, problem } from './api.ts';

type Answer = AccountsSchemas['PasskeyAnswer'];
type Asked = AccountsSchemas['AskedPasskey'];

/** What the browser says when it has no passkey to show, or somebody closed its window. */
const problemOf = (error: unknown): Problem =>
  problem(
    error instanceof DOMException && error.name === 'InvalidStateError'
      ? 'passkey_taken'
      : 'passkey_not_shown',
  );

const shown = async (asking: Promise<PasskeyCredential>): Promise<Outcome<PasskeyCredential>> => {
  try {
    return { data: await asking };
  } catch (error) {
    return { problem: problemOf(error) };
  }
};

/** Has the browser answer a begin by a passkey. */
const answerTo = async (
  { data, problem: refused }: Outcome<Asked>,
  more: Pick<CredentialRequestOptions, 'mediation' | 'signal'> = {},
): Promise<Outcome<Answer>> => {
  if (data === undefined) return { problem: refused };
  const answer = await shown(askPasskey(data.options, more));
  if (answer.data === undefined) return answer;
  return { data: { flow: data.flow, credential: answer.data } };
};

const beginSignIn = () => outcome(accounts.POST('/api/auth/login/passkey/begin'));

const endSignIn = async (answered: Outcome<Answer>): Promise<Problem | undefined> => {
  if (answered.data === undefined) return answered.problem;
  return (await outcome(accounts.POST('/api/auth/login/passkey', { body: answered.data }))).problem;
};

/** Stops the offer in the field, since a browser asks for one passkey at a time. */
let stopOffer = (): void => undefined;

/** A login by a passkey that the browser lets somebody choose. */
export const signInByPasskey = async (): Promise<Problem | undefined> => {
  stopOffer();
  return endSignIn(await answerTo(await beginSignIn()));
};

/** A challenge is good for 5 minutes. */
const OFFERED_FOR = 240_000;

/**
 * Has the browser offer passkeys in the field of the email. Calls `onEnd` with what came of one that was chosen. Gives
 * what ends the offer.
 */
export const offerPasskeys = (onEnd: (problem: Problem | undefined) => unknown): (() => void) => {
  let over = new AbortController();
  const offer = async () => {
    const { signal } = over;
    const begun = await beginSignIn();
    if (signal.aborted || begun.data === undefined) return;
    const answered = await answerTo(begun, { mediation: 'conditional', signal });
    if (answered.data !== undefined) onEnd(await endSignIn(answered));
  };
  const again = setInterval(() => {
    over.abort();
    over = new AbortController();
    void offer();
  }, OFFERED_FOR);
  stopOffer = () => {
    clearInterval(again);
    over.abort();
  };
  void offer();
  return stopOffer;
};

/** The second step of a login by a passkey. */
export const answerSecond = async (waiting: {
  readonly email: string;
  readonly pendingToken: string;
}): Promise<Problem | undefined> => {
  const answered = await answerTo(
    await outcome(accounts.POST('/api/auth/login/second/begin', { body: waiting })),
  );
  if (answered.data === undefined) return answered.problem;
  const body = { ...waiting, passkey: answered.data };
  return (await outcome(accounts.POST('/api/auth/login', { body }))).problem;
};

/** A fresh proof by a passkey. */
export const proveByPasskey = async (): Promise<Problem | undefined> => {
  const answered = await answerTo(await outcome(accounts.POST('/api/auth/reauthenticate/passkey/begin')));
  if (answered.data === undefined) return answered.problem;
  const body = { passkey: answered.data };
  return (await outcome(accounts.POST('/api/auth/reauthenticate', { body }))).problem;
};

/** Makes a passkey and adds it to the account. */
export const addPasskey = async (): Promise<Problem | undefined> => {
  const { data, problem: refused } = await outcome(accounts.POST('/api/auth/passkeys/begin'));
  if (data === undefined) return refused;
  const made = await shown(createPasskey(data.options));
  if (made.data === undefined) return made.problem;
  const body = { flow: data.flow, credential: made.data };
  return (await outcome(accounts.POST('/api/auth/passkeys', { body }))).problem;
};
