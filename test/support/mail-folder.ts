import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ReceivedMail, readMail } from './read-mail.ts';
import { until } from './until.ts';

/** The mails that a server without a mail provider wrote into its folder, in sending order; none if the folder is missing. */
export const makeMailFolder = (folder: string) => {
  const mails = new Map<string, ReceivedMail>();

  const mailsTo = (email: string): readonly ReceivedMail[] => {
    try {
      for (const name of readdirSync(folder)) {
        if (name.startsWith('.') || mails.has(name)) continue;
        mails.set(name, readMail(readFileSync(join(folder, name), 'utf8')));
      }
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
    return [...mails]
      .toSorted(([name], [otherName]) => (name < otherName ? -1 : 1))
      .map(([, mail]) => mail)
      .filter(({ headers }) => headers.to === email);
  };

  /** Waits for a mail to the address whose text matches, and returns the match in the newest such mail. */
  const find = async (email: string, pattern: RegExp, milliseconds?: number): Promise<string> => {
    const newestMatch = () =>
      mailsTo(email)
        .map(({ text }) => pattern.exec(text)?.[0])
        .findLast((match) => match !== undefined);
    await until(() => newestMatch() !== undefined, milliseconds);
    return newestMatch() ?? '';
  };

  return {
    mailsTo,
    /** The newest six-digit code that was sent to the address. */
    codeFor: (email: string, milliseconds?: number) => find(email, /\b\d{6}\b/, milliseconds),
    resetCodeFor: (email: string) => find(email, /\b[0-9A-Z]{5}-[0-9A-Z]{5}\b/),
  };
};

export type MailFolder = ReturnType<typeof makeMailFolder>;
