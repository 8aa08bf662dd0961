import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { mailHeaders } from '../../core/accounts/mail-headers.ts';
import type { Delivery, Mailer, Message } from '../../core/accounts/ports.ts';
import type { Clock } from '../../core/ports.ts';

/** A multipart boundary without digits, so that whoever looks for a code in the file finds the code alone. */
const boundaryOf = (message: Message) =>
  message.id.replace(/[0-9]/g, (digit) => 'ghijklmnop'.charAt(Number(digit)));

const compose = async (message: Message, from: string, now: number): Promise<Buffer> => {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  return new MailComposer({
    from,
    to: { name: '', address: message.to },
    subject: message.subject,
    text: message.text,
    html: message.html,
    date: new Date(now),
    headers: mailHeaders(message, from),
    encoding: 'quoted-printable',
    baseBoundary: boundaryOf(message),
    boundaryPrefix: '--gatehouse',
  })
    .compile()
    .build();
};

/** Puts a 0600 file there in one step, synced: a reader finds the whole of it or nothing. */
const putFile = async (folder: string, name: string, content: Buffer): Promise<void> => {
  const draft = join(folder, `.${name}.tmp`);
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, join(folder, name));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  const entries = await open(folder, 'r');
  try {
    await entries.sync();
  } finally {
    await entries.close();
  }
};

const isFull = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');

/**
 * Writes each mail as one `.eml` file (RFC 5322) into a folder of its own (0700), for installations without a mail
 * provider. File names sort in sending order, over the processes of one machine too.
 */
export const makeFileMailer = (given: {
  readonly folder: string;
  readonly from: string;
  readonly clock: Clock;
}): Mailer => {
  const { folder, from, clock } = given;
  let last = 0;
  let count = 0;

  const nextName = (now: number) => {
    count = now > last ? 0 : count + 1;
    last = Math.max(last, now);
    const order = `${String(last).padStart(15, '0')}-${String(count).padStart(5, '0')}`;
    return `${order}-${randomBytes(4).toString('hex')}.eml`;
  };

  return {
    async send(message): Promise<Delivery> {
      const now = clock.now();
      const name = nextName(now);
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await chmod(folder, 0o700);
        await putFile(folder, name, await compose(message, from, now));
        return { outcome: 'sent' };
      } catch (error) {
        return { outcome: 'again', after: null, failure: isFull(error) ? 'disk_full' : 'not_written' };
      }
    },
  };
};
