import type { MailTemplate } from '../pending.ts';
import type { FootTexts } from './look.ts';

/** A paragraph, an emailed code that stands on a line of its own, or details with their labels. */
export type Block =
  | string
  | { readonly code: string }
  | { readonly details: readonly (readonly [label: string, value: string])[] };

export interface Letter {
  readonly subject: string;
  readonly blocks: readonly Block[];
}

/** The facts that a letter may name. Times are already formatted. */
export interface LetterFacts {
  readonly productName: string;
  readonly code: string;
  readonly minutes: number;
  /** How many recovery codes are left. */
  readonly left: number;
  readonly at: string | undefined;
  readonly address: string | undefined;
  readonly replacedAt: string | undefined;
  /** The name of a provider. */
  readonly provider: string;
  /** The name of a passkey. */
  readonly passkey: string;
}

/** The letters of one language. */
export interface Phrasebook {
  readonly greeting: string;
  readonly closing: string;
  readonly foot: FootTexts;
  readonly letters: Readonly<Record<MailTemplate, (facts: LetterFacts) => Letter>>;
}

/** Time and origin, without unknown details. */
export const details = (...pairs: readonly (readonly [string, string | undefined])[]): readonly Block[] => {
  const known = pairs.flatMap(([label, value]) => (value === undefined ? [] : [[label, value] as const]));
  return known.length === 0 ? [] : [{ details: known }];
};
