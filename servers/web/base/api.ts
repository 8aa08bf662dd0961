import { signal } from '@preact/signals';
import { makeCookieFetch } from '../../client/cookie-session.ts';
import { type CallResult, createPageClient } from '../../client/page-client.ts';
import type { ProofNeeded } from '../../client/refusals.ts';
import { type Outcome, offline, type Problem } from '../kit/problem.ts';
import { pageLanguage } from '../text/language.ts';

/** A pending request for a fresh proof. The first answer counts. */
export interface ProofRequest {
  readonly needed: ProofNeeded;
  readonly answer: (proved: boolean) => void;
}
export const proofRequest = signal<ProofRequest | null>(null);

const seconds = (response: Response) => Number(response.headers.get('Retry-After') ?? 0);
const LONGEST_PAUSE = 5;

/**
 * A read is repeated once if the server says that it can answer soon. No other request is repeated. Each request names
 * the language of the page, which a new account gets for its mails.
 */
const send = async (request: Request): Promise<Response> => {
  request.headers.set('Accept-Language', pageLanguage());
  const copy = request.method === 'GET' ? request.clone() : undefined;
  const answer = await fetch(request);
  if (copy === undefined || answer.status !== 503 || seconds(answer) > LONGEST_PAUSE) return answer;
  await new Promise((resolve) => setTimeout(resolve, seconds(answer) * 1_000));
  return fetch(copy);
};

/** CallResult when the session has ended. */
let onSessionOver = (): void => undefined;
export const whenSessionIsOver = (run: () => void): void => {
  onSessionOver = run;
};

let asking: Promise<boolean> | undefined;

/** Asks for a fresh proof. The answer says whether it was given. Calls that need one meanwhile share it. */
const askForProof = (needed: ProofNeeded): Promise<boolean> => {
  asking ??= new Promise<boolean>((answer) => {
    proofRequest.value = { needed, answer };
  }).finally(() => {
    asking = undefined;
    proofRequest.value = null;
  });
  return asking;
};

/** `fetch` with the session of this front's server. */
export const sendInSession = /*@__PURE__*/ makeCookieFetch({
  fetch: send,
  onLoggedOut: () => onSessionOver(),
  onProofNeeded: askForProof,
});

/** The routes of accounts. The console's server has those for sign-in and sessions, too. */
export const accounts = /*@__PURE__*/ createPageClient(sendInSession);

/** The restriction of the account by operators, which then allows only its deletion. */
export const restricted = signal<'account_banned' | 'account_disabled' | null>(null);

const problemOf = (error: unknown, response: Response): Problem => {
  const details: Readonly<Record<string, unknown>> = Object(error);
  const { code, message } = details;
  return {
    code: typeof code === 'string' ? code : 'unexpected',
    message: typeof message === 'string' ? message : '',
    until: Date.now() + seconds(response) * 1_000,
    isTemporary: response.status >= 500,
    details,
  };
};

/** Words a refusal for calls that send only a password, where no email can be wrong. */
export const ownPassword = (refusal: Problem | undefined): Problem | undefined =>
  refusal?.code === 'wrong_credentials' ? { ...refusal, code: 'wrong_password' } : refusal;

/** The outcome of a call of the client, which never rejects. */
export const outcome = async <T>(request: Promise<CallResult<T>>): Promise<Outcome<T>> => {
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
