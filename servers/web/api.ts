import { signal } from '@preact/signals';
import { createPageClient } from '../client/page.ts';
import type { ProofNeeded } from '../client/refusals.ts';
import { shownMoment, words } from './text/language.ts';

/** A refusal, or a call that did not arrive (`offline`). */
export interface Problem {
  readonly code: string;
  readonly message: string;
  /** When it makes sense to try again, in milliseconds. */
  readonly until: number;
  readonly details: Readonly<Record<string, unknown>>;
}

export type Outcome<T> =
  | { readonly data: T; readonly problem?: never }
  | { readonly data?: never; readonly problem: Problem };

/** Somebody is asked to prove who they are; the answer says whether they did. The first answer counts. */
export interface ProofAsked {
  readonly needed: ProofNeeded;
  readonly answer: (proved: boolean) => void;
}
export const proofAsked = signal<ProofAsked | null>(null);

const seconds = (response: Response) => Number(response.headers.get('Retry-After') ?? 0);
const LONGEST_PAUSE = 5;

/** A read is repeated once if the server says that it can answer soon. Nothing else is ever sent twice. */
export const send = async (request: Request): Promise<Response> => {
  const again = request.method === 'GET' ? request.clone() : undefined;
  const answer = await fetch(request);
  if (again === undefined || answer.status !== 503 || seconds(answer) > LONGEST_PAUSE) return answer;
  await new Promise((resolve) => setTimeout(resolve, seconds(answer) * 1_000));
  return fetch(again);
};

/** What runs when the server does not know the session any more. */
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
      proofAsked.value = null;
      resolve(proved);
    };
    proofAsked.value = { needed, answer };
  });
  return asking;
};

export const accounts = /*@__PURE__*/ createPageClient({
  fetch: send,
  onLoggedOut: () => onSessionOver(),
  onProofNeeded: askForProof,
});

/** What runs when operators have shut the account. */
let onRestricted = (_code: string): void => undefined;
export const whenRestricted = (run: (code: string) => void): void => {
  onRestricted = run;
};

interface Sent<T> {
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
    details,
  };
};

/** A problem that the page finds itself. */
export const problem = (code: string, message = ''): Problem => ({ code, message, until: 0, details: {} });

export const offline: Problem = problem('offline');

/** The outcome of a call of the client, whatever became of it. */
export const outcome = async <T>(sent: Promise<Sent<T>>): Promise<Outcome<T>> => {
  try {
    const { data, error, response } = await sent;
    if (response.ok) return { data: data as T };
    const refused = problemOf(error, response);
    if (/^account_(?:banned|disabled)$/.test(refused.code)) onRestricted(refused.code);
    return { problem: refused };
  } catch {
    return { problem: offline };
  }
};

/** What a refusal means, in the language of the page. One that the pages do not know says it itself. */
export const wordsOf = ({ code, message, until }: Problem): string => {
  const { codes, offline: noConnection, unexpected } = words().problems;
  if (code === 'offline') return noConnection;
  const text = Object.hasOwn(codes, code) ? codes[code] : undefined;
  return (text ?? (message || unexpected)).replace('{time}', shownMoment(until));
};
