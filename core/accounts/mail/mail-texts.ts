import type { MailTemplate } from '../outbox-entries.ts';

/** The facts that mails may name. */
export const factNames = [
  'productName',
  'code',
  // For how many minutes the code is valid.
  'minutes',
  // How many recovery codes are left.
  'left',
  // The time of the action that the mail reports, and the address that it came from.
  'at',
  'address',
  // The time at which the registration replaced an earlier one.
  'replacedAt',
  // Until when the deletion of the account can be undone.
  'until',
  'provider',
  'passkey',
  // The email of an operator, the new and the former role (empty for none), and the actor who changed it.
  'operator',
  'role',
  'formerRole',
  'actor',
  // The app that was signed in to.
  'app',
  'supportUrl',
] as const;

/** The facts of a mail as templates name them: texts on one line, empty if a fact is absent. */
export type TemplateFacts = Readonly<Record<(typeof factNames)[number], string>>;

/** An image attached to the mail. The HTML shows it by `cid:`. */
export interface InlineImage {
  readonly cid: string;
  readonly type: 'image/png';
  readonly bytes: Uint8Array;
}

/** An operator's own version of a mail. Where a part is null, the built-in part is used. */
export interface OwnMail {
  readonly text: ((facts: TemplateFacts) => { readonly subject: string; readonly text: string }) | null;
  /** The content of the frame, as HTML. */
  readonly html: ((facts: TemplateFacts) => string) | null;
}

/** An operator's own mails, which replace the built-in mails. */
export interface MailTexts {
  /** Undefined: the built-in mail is used. */
  find(mail: MailTemplate, language: string): OwnMail | undefined;
  /** Puts HTML around the body of every mail; null: the built-in frame. */
  readonly frame: ((facts: TemplateFacts, body: string) => string) | null;
  /** Shown at the head of the built-in frame, in place of the product's name; null: none. */
  readonly logo: InlineImage | null;
}

/** Mail texts without any override: all mails use the built-in texts. */
export const noMailTexts: MailTexts = { find: () => undefined, frame: null, logo: null };
