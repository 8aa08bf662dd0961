import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ReceivedMail, readMail } from './read-mail.ts';
import { until } from './until.ts';

/** The mails that a server without a provider wrote into its folder, in sending order; none while there is no folder. */
export const makeMailFolder = (folder: string) => {
  const read = new Map<string, ReceivedMail>();

  const mailsTo = (email: string): readonly ReceivedMail[] => {
    try {
      for (const name of readdirSync(folder)) {
        if (name.startsWith('.') || read.has(name)) continue;
        read.set(name, readMail(readFileSync(join(folder, name), 'utf8')));
      }
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
    return [...read]
      .toSorted(([name], [otherName]) => (name < otherName ? -1 : 1))
      .map(([, mail]) => mail)
      .filter(({ headers }) => headers.to === email);
  };

  /** Waits for a mail to the address in whose text the form stands, and gives what matched in the newest such mail. */
  const find = async (email: string, form: RegExp, milliseconds?: number): Promise<string> => {
    const found = () =>
      mailsTo(email)
        .map(({ text }) => form.exec(text)?.[0])
        .findLast((match) => match !== undefined);
    await until(() => found() !== undefined, milliseconds);
    return found() ?? '';
  };

  return {
    mailsTo,
    /** The newest six-digit code that was sent to the address. */
    codeFor: (email: string, milliseconds?: number) => find(email, /\b\d{6}\b/, milliseconds),
    resetCodeFor: (email: string) => find(email, /\b[0-9A-Z]{5}-[0-9A-Z]{5}\b/),
  };
};

export type MailFolder = ReturnType<typeof makeMailFolder>;
