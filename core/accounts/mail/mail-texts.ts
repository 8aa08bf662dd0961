import type { MailTexts, TemplateFacts } from '../ports.ts';
import type { LetterFacts } from './phrasebook.ts';

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
