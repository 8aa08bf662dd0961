import type { MailTexts, TemplateFacts } from '../ports.ts';
import type { LetterFacts } from './phrasebook.ts';

/** The names that templates may use. Those of a letter that are new must be added. */
export const factNames = Object.keys({
  productName: true,
  code: true,
  minutes: true,
  left: true,
  at: true,
  address: true,
  replacedAt: true,
  provider: true,
  passkey: true,
  supportUrl: true,
} satisfies Readonly<
  Record<keyof TemplateFacts | keyof LetterFacts, true>
>) as readonly (keyof TemplateFacts)[];

/** All mails as they are built in. */
export const noMailTexts: MailTexts = { find: () => undefined, frame: null, logo: null };
