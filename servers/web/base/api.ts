import { signal } from '@preact/signals';
import { makeCookieFetch } from '../../client/cookie-session.ts';
import { createPageClient, type PageCallResult } from '../../client/page-client.ts';
import { type ProofNeeded, sendWithProof } from '../../client/refusals.ts';
import { type Outcome, offline, type Problem } from '../kit/problem.ts';
import { pageLanguage } from '../text/language.ts';
import { pageChanges } from './router.ts';

/** A pending request for a fresh proof. The first answer counts. */
export interface ProofRequest {
  readonly needed: ProofNeeded;
  readonly answer: (proved: boolean) => void;
}
export const proofRequest = signal<ProofRequest | null>(null);

const retryAfterSeconds = (response: Response) => Number(response.headers.get('Retry-After') ?? 0);
const LONGEST_PAUSE_SECONDS = 5;

/** A read that is refused with 503 is repeated once, after the pause that the server asks for, unless the pause is too long. */
const send = async (request: Request): Promise<Response> => {
  // A new account gets this language for its mails.
  request.headers.set('Accept-Language', pageLanguage());
  const copy = request.method === 'GET' ? request.clone() : undefined;
  const response = await fetch(request);
  const pauseSeconds = retryAfterSeconds(response);
  if (copy === undefined || response.status !== 503 || pauseSeconds > LONGEST_PAUSE_SECONDS) return response;
  await new Promise((resolve) => setTimeout(resolve, pauseSeconds * 1_000));
  return fetch(copy);
};

let onSessionEnd = (): void => undefined;
/** Sets the one function that is called when a response says that the session has ended. */
export const setOnSessionEnd = (run: () => void): void => {
  onSessionEnd = run;
};

let pendingProof: Promise<boolean> | undefined;

/** Asks for a fresh proof. Returns whether the user gave it. Calls that need a proof meanwhile share the request. */
const askForProof = (needed: ProofNeeded): Promise<boolean> => {
  pendingProof ??= new Promise<boolean>((answer) => {
    proofRequest.value = { needed, answer };
  }).finally(() => {
    pendingProof = undefined;
    proofRequest.value = null;
  });
  return pendingProof;
};

/** `fetch` with the session of this front's server. */
export const sendInSession = /*@__PURE__*/ makeCookieFetch({
  fetch: (request) => {
    const page = pageChanges.peek();
    // A page that the user has left asks no more: nobody would know which change the proof is for.
    return sendWithProof(send, request, (needed) => page === pageChanges.peek() && askForProof(needed));
  },
  onLoggedOut: () => onSessionEnd(),
  // `fetch` above has asked already: only there is the page of the request known.
  onProofNeeded: () => false,
});

/** The routes of accounts. The console's server has those for sign-in and sessions, too. */
export const accounts = /*@__PURE__*/ createPageClient(sendInSession);

/** The restriction of the account by operators: its user can only see the profile, sign out and delete the account. */
export const restricted = signal<'account_banned' | 'account_disabled' | null>(null);

const problemOf = (error: unknown, response: Response): Problem => {
  // `Object` gives an object for any body, also for a text or none.
  const details: Readonly<Record<string, unknown>> = Object(error);
  const { code, message } = details;
  return {
    code: typeof code === 'string' ? code : 'unexpected',
    message: typeof message === 'string' ? message : '',
    until: Date.now() + retryAfterSeconds(response) * 1_000,
    isTemporary: response.status >= 500,
    details,
  };
};

/** Replaces `wrong_credentials` for calls that send a password alone, so that the text names no email. */
export const asWrongPassword = (refusal: Problem | undefined): Problem | undefined =>
  refusal?.code === 'wrong_credentials' ? { ...refusal, code: 'wrong_password' } : refusal;

/** Turns a call of the client into its outcome. The promise never rejects. */
export const outcome = async <T>(request: Promise<PageCallResult<T>>): Promise<Outcome<T>> => {
  try {
    const { data, error, response } = await request;
    if (response.ok) return { data: data as T };
    const refused = problemOf(error, response);
    const { code } = refused;
    if (code === 'account_banned' || code === 'account_disabled') restricted.value = code;
    return { problem: refused };
  } catch {
    return { problem: offline };
  }
};
