import { createPasskey } from '../../client/passkeys.ts';
import { accounts, outcome } from '../base/api.ts';
import {
  answerTo,
  beginSignIn,
  choosePasskey,
  outcomeOfBrowser,
  type PasskeyAnswer,
} from '../base/passkey-ceremony.ts';
import type { Outcome, Problem } from '../kit/problem.ts';

const finishSignIn = async ({ data: body, problem }: Outcome<PasskeyAnswer>): Promise<Problem | undefined> =>
  body === undefined ? problem : (await outcome(accounts.POST('/api/auth/login/passkey', { body }))).problem;

/** Stops the request of `offerPasskeys`, if there is one, since browsers handle one passkey request at a time. */
let stopOffer = (): void => undefined;

export const signInByPasskey = async (): Promise<Problem | undefined> => {
  stopOffer();
  return finishSignIn(await choosePasskey());
};

/** How long an offer uses its challenge, which is valid for 5 minutes. */
const OFFER_MS = 240_000;

/** Offers passkeys in the email field, until the returned function is called. Calls `onEnd` after the sign-in by a passkey. */
export const offerPasskeys = (onEnd: (problem: Problem | undefined) => unknown): (() => void) => {
  let aborter = new AbortController();
  const offer = async () => {
    const { signal } = aborter;
    const challenge = await beginSignIn();
    if (signal.aborted || challenge.data === undefined) return;
    const answer = await answerTo(challenge, { mediation: 'conditional', signal });
    if (answer.data !== undefined) onEnd(await finishSignIn(answer));
  };
  const timer = setInterval(() => {
    aborter.abort();
    aborter = new AbortController();
    void offer();
  }, OFFER_MS);
  stopOffer = () => {
    clearInterval(timer);
    aborter.abort();
  };
  void offer();
  return stopOffer;
};

export const addPasskey = async (name: string): Promise<Outcome<unknown>> => {
  const { data, problem } = await outcome(accounts.POST('/api/auth/passkeys/begin'));
  if (data === undefined) return { problem };
  const created = await outcomeOfBrowser(createPasskey(data.options));
  if (created.data === undefined) return created;
  const body = { flow: data.flow, credential: created.data, name };
  return outcome(accounts.POST('/api/auth/passkeys', { body }));
};
