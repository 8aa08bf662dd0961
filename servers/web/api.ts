import { signal } from '@preact/signals';
import { createPageClient } from '../client/page.ts';
import type { ProofNeeded } from '../client/refusals.ts';
import { pageLanguage, shownMoment, words } from './text/language.ts';

/** A refusal, or a call that did not arrive (`offline`). */
export interface Problem {
  readonly code: string;
  readonly message: string;
  /** The earliest sensible retry, in epoch milliseconds. */
  readonly until: number;
  /** Whether the same call may succeed later: the server was not reached, or could not answer. */
  readonly isTemporary: boolean;
  readonly details: Readonly<Record<string, unknown>>;
}

export type Outcome<T> =
  | { readonly data: T; readonly problem?: never }
  | { readonly data?: never; readonly problem: Problem };

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
export const send = async (request: Request): Promise<Response> => {
  request.headers.set('Accept-Language', pageLanguage());
  const copy = request.method === 'GET' ? request.clone() : undefined;
  const answer = await fetch(request);
  if (copy === undefined || answer.status !== 503 || seconds(answer) > LONGEST_PAUSE) return answer;
  await new Promise((resolve) => setTimeout(resolve, seconds(answer) * 1_000));
  return fetch(copy);
};

/** Called when the session has ended. */
let onSessionOver = (): void => undefined;
export const whenSessionIsOver = (run: () => void): void => {
  onSessionOver = run;
};

let asking: Promise<boolean> | undefined;

/** Asks for a fresh proof. The answer says whether it was given. Calls that need one meanwhile share it. */
export const askForProof = (needed: ProofNeeded): Promise<boolean> => {
  asking ??= new Promise((resolve) => {
    let isAnswered = false;
    const answer = (proved: boolean) => {
      if (isAnswered) return;
      isAnswered = true;
      asking = undefined;
      proofRequest.value = null;
      resolve(proved);
    };
    proofRequest.value = { needed, answer };
  });
  return asking;
};

export const accounts = /*@__PURE__*/ createPageClient({
  fetch: send,
  onLoggedOut: () => onSessionOver(),
  onProofNeeded: askForProof,
});

/** Called when operators have restricted the account. */
let onRestricted = (_code: string): void => undefined;
export const whenRestricted = (run: (code: string) => void): void => {
  onRestricted = run;
};

interface ApiResponse<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

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

/** A problem that the page itself finds. */
export const problem = (code: string, message = ''): Problem => ({
  code,
  message,
  until: 0,
  isTemporary: false,
  details: {},
});

export const offline: Problem = { ...problem('offline'), isTemporary: true };

/** Words a refusal for calls that send only a password, where no email can be wrong. */
export const ownPassword = (refusal: Problem | undefined): Problem | undefined =>
  refusal?.code === 'wrong_credentials' ? { ...refusal, code: 'wrong_password' } : refusal;

/** The outcome of a call of the client, which never rejects. */
export const outcome = async <T>(request: Promise<ApiResponse<T>>): Promise<Outcome<T>> => {
  try {
    const { data, error, response } = await request;
    if (response.ok) return { data: data as T };
    const refused = problemOf(error, response);
    if (/^account_(?:banned|disabled)$/.test(refused.code)) onRestricted(refused.code);
    return { problem: refused };
  } catch {
    return { problem: offline };
  }
};

/** The text of a refusal in the language of the page. Unknown codes show the server's message. */
export const wordsOf = ({ code, message, until }: Problem): string => {
  const { codes, offline: noConnection, unexpected } = words().problems;
  if (code === 'offline') return noConnection;
  const text = Object.hasOwn(codes, code) ? codes[code] : undefined;
  return (text ?? (message || unexpected)).replace('{time}', shownMoment(until));
};
