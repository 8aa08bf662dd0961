import type { MailTemplate } from '../outbox-entries.ts';
import type { FootTexts } from './mail-html.ts';
import type { TemplateFacts } from './mail-texts.ts';

/** A paragraph, a code on its own line, or labelled details. */
export type Block =
  | string
  | { readonly code: string }
  | { readonly details: readonly (readonly [label: string, value: string])[] };

export interface Letter {
  readonly subject: string;
  readonly text: string | readonly Block[];
  /** What to do about the event, below its time and origin; absent in letters that show neither. */
  readonly advice?: string | readonly Block[];
}

/** The facts that a letter may name. Times are already formatted. Absent facts are empty or 0. */
export interface LetterFacts extends Omit<TemplateFacts, 'minutes' | 'left' | 'supportUrl'> {
  readonly minutes: number;
  readonly left: number;
}

/** The letters of one language. */
export interface Phrasebook {
  readonly greeting: string;
  readonly closing: string;
  readonly foot: FootTexts;
  /** The labels of time and origin. */
  readonly circumstances: { readonly at: string; readonly address: string };
  readonly letters: Readonly<Record<MailTemplate, (facts: LetterFacts) => Letter>>;
}
