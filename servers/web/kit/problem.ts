import { shownMoment, words } from '../text/language.ts';

/** A refusal, a call that did not arrive (`offline`), or a problem that the page itself finds. */
export interface Problem {
  readonly code: string;
  readonly message: string;
  /** The earliest sensible retry, in epoch milliseconds; 0 if unknown. */
  readonly until: number;
  /** Whether the same call may succeed later: the server was not reached, or could not answer. */
  readonly isTemporary: boolean;
  readonly details: Readonly<Record<string, unknown>>;
}

export type Outcome<T> =
  | { readonly data: T; readonly problem?: never }
  | { readonly data?: never; readonly problem: Problem };

export const makeProblem = (code: string, message = ''): Problem => ({
  code,
  message,
  until: 0,
  isTemporary: false,
  details: {},
});

export const offline: Problem = { ...makeProblem('offline'), isTemporary: true };

/** The text of a refusal in the language of the page. Unknown codes show the server's message. */
export const wordsOf = ({ code, message, until }: Problem): string => {
  const { problems, securityCodes, settingsCodes, userCodes } = words();
  if (code === 'offline') return problems.offline;
  const codes: Readonly<Record<string, string>> = {
    ...problems.codes,
    ...securityCodes,
    ...settingsCodes,
    ...userCodes,
  };
  const text = Object.hasOwn(codes, code) ? codes[code] : undefined;
  // Rounded up: the minute that the time falls into would be too early.
  return (text ?? (message || problems.unexpected)).replace(
    '{time}',
    shownMoment(Math.ceil(until / 60_000) * 60_000),
  );
};
