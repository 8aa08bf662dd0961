import { readFile } from 'node:fs/promises';
import type { Log } from '../../core/ports.ts';

// Half of the second within which a change must count.
const LOOK_EVERY = 500;

/** The fault of a file, in words that quote nothing of its content. */
export class WrongFile extends Error {
  override readonly name = 'WrongFile';
}

/** What a file says now. */
export interface WatchedFile<T> {
  current(): T;
  /** Looks at once; never rejects. What was in the file when this was called is current, if it is well-formed. */
  refresh(): Promise<void>;
  close(): void;
}

/**
 * Reads a file and reads it again twice a second: it is small, and its text is surer than its time of change, which
 * two writes in quick succession share. A file that is gone or broken leaves the last good value and is logged once.
 * `parse` throws `WrongFile`; so does this, when the first reading fails. `name` is what the log calls the file.
 */
export const watchFile = async <T>(given: {
  readonly path: string;
  readonly name: string;
  readonly log: Log;
  readonly parse: (text: string) => T | Promise<T>;
}): Promise<WatchedFile<T>> => {
  const { path, name, log, parse } = given;
  let text = await readText(path);
  let value = await parse(text);
  let complaint: string | undefined;

  const look = async () => {
    try {
      const found = await readText(path);
      if (found !== text) {
        value = await parse(found);
        text = found;
        log.info('key_file.read', { id: name });
      }
      complaint = undefined;
    } catch (error) {
      // Only our own words are logged: a parser's message may quote the file.
      const reason = error instanceof WrongFile ? error.message : 'unreadable';
      if (reason !== complaint) log.error('key_file.refused', { id: name, reason });
      complaint = reason;
    }
  };

  let looking: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  // A look that is under way may have read too early, so a caller waits for one that begins after the call.
  const refresh = () => {
    next ??= looking.then(() => {
      next = undefined;
      looking = look();
      return looking;
    });
    return next;
  };

  const timer = setInterval(refresh, LOOK_EVERY).unref();
  return { current: () => value, refresh, close: () => clearInterval(timer) };
};

const readText = async (path: string): Promise<string> => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new WrongFile(`cannot be read${code}`, { cause: error });
  }
};
