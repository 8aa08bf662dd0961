import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Delivery, Mailer, Message } from '../../core/accounts/ports.ts';
import type { Clock } from '../../core/ports.ts';
import { hasCode, syncFolderOf, withDraft } from '../files/atomic-write.ts';
import { nodemailerMessage } from './nodemailer-message.ts';

/** Replaces the digits of an id by letters, so that a search of the file for six digits finds only the code. */
const toLetters = (id: string) => id.replace(/[0-9]/g, (digit) => 'ghijklmnop'.charAt(Number(digit)));

const compose = async (message: Message, from: string, now: number): Promise<string> => {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const id = toLetters(message.id);
  const mail = new MailComposer({
    ...nodemailerMessage({ ...message, id }, from),
    date: new Date(now),
    baseBoundary: id,
    boundaryPrefix: '--gatehouse',
    // Line feeds, as shell tools expect.
    newline: 'linux',
  });
  return (await mail.compile().build()).toString();
};

const NAME = /^\d{15}-\d{5}-[0-9a-f]{8}\.eml$/;

const isFull = (error: unknown) => hasCode(error, 'ENOSPC') || hasCode(error, 'EDQUOT');

/**
 * Writes each mail as one `.eml` file (RFC 5322) into a folder (0700), for installations without a mail provider. File names
 * sort in sending order, also across the processes of one machine, and when the clock is set back.
 */
export const makeFileMailer = (options: {
  readonly folder: string;
  readonly from: string;
  readonly clock: Clock;
}): Mailer => {
  const { folder, from, clock } = options;
  let lastTime = 0;
  let count = 0;

  /** Continues after the last file of an earlier process: the clock may have been set back since. */
  const continueOrder = async (): Promise<void> => {
    // Before the first mail there is no folder.
    const names = await readdir(folder).catch(() => []);
    const last = names
      .filter((name) => NAME.test(name))
      .toSorted()
      .at(-1);
    if (last === undefined) return;
    const [time, number] = last.split('-');
    lastTime = Number(time);
    count = Number(number);
  };
  let continued: Promise<void> | undefined;

  const nextName = (now: number) => {
    count = now > lastTime ? 0 : count + 1;
    lastTime = Math.max(lastTime, now);
    const order = `${String(lastTime).padStart(15, '0')}-${String(count).padStart(5, '0')}`;
    return `${order}-${randomBytes(4).toString('hex')}.eml`;
  };

  return {
    async send(message): Promise<Delivery> {
      continued ??= continueOrder();
      await continued;
      const now = clock.now();
      const name = nextName(now);
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await chmod(folder, 0o700);
        const path = join(folder, name);
        // Hidden until it is complete, so that a reader of the folder never sees half a mail.
        await withDraft(join(folder, `.${name}`), await compose(message, from, now), (draft) =>
          rename(draft, path),
        );
        await syncFolderOf(path);
        return { outcome: 'sent' };
      } catch (error) {
        return { outcome: 'again', after: null, failure: isFull(error) ? 'disk_full' : 'not_written' };
      }
    },
  };
};
