import type { MailTemplate } from '../outbox-entries.ts';
import type { MailTexts, TemplateFacts } from '../ports.ts';
import type { FootTexts } from './mail-html.ts';

/** A paragraph, a code on its own line, or labelled details. */
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
  /** The end of the time for an undo. */
  readonly until: string | undefined;
  /** The name of a provider. */
  readonly provider: string;
  /** The name of a passkey. */
  readonly passkey: string;
  /** The email of an operator. */
  readonly operator: string;
  /** The new and the former role of an operator; empty for none. */
  readonly role: string;
  readonly formerRole: string;
  /** The actor who changed an operator. */
  readonly actor: string;
  /** The name of an app. */
  readonly app: string;
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
  const rows = pairs.flatMap(([label, value]) => (value === undefined ? [] : [[label, value] as const]));
  return rows.length === 0 ? [] : [{ details: rows }];
};

/** The names that templates may use. New facts of letters must be added here. */
export const factNames = Object.keys({
  productName: true,
  code: true,
  minutes: true,
  left: true,
  at: true,
  address: true,
  replacedAt: true,
  until: true,
  provider: true,
  passkey: true,
  operator: true,
  role: true,
  formerRole: true,
  actor: true,
  app: true,
  supportUrl: true,
} satisfies Readonly<
  Record<keyof TemplateFacts | keyof LetterFacts, true>
>) as readonly (keyof TemplateFacts)[];

/** Mail texts without any override: all mails use the built-in texts. */
export const noMailTexts: MailTexts = { find: () => undefined, frame: null, logo: null };
