import { readFile } from 'node:fs/promises';
import type { Log } from '../../core/ports.ts';

// A change must count within a second.
const CHECK_EVERY_MS = 500;

/** A fault of a file. The message quotes nothing of its content. */
export class WrongFile extends Error {
  override readonly name = 'WrongFile';
}

/** The current value of a file. */
export interface WatchedFile<T> {
  current(): T;
  /** Reads the file now; never rejects. Afterwards the content at the time of the call is current, if well-formed. */
  refresh(): Promise<void>;
  close(): void;
}

/**
 * Reads a small file, and again twice a second. It compares texts, since two quick writes can share a modification time. If
 * the file is missing or invalid, the last valid value stays and the fault is logged once. `parse` throws `WrongFile`; so
 * does this function if the first reading fails. `name` identifies the file in the log.
 */
export const watchFile = async <T>(options: {
  readonly path: string;
  readonly name: string;
  readonly log: Log;
  readonly parse: (text: string) => T | Promise<T>;
}): Promise<WatchedFile<T>> => {
  const { path, name, log, parse } = options;
  let text = await readText(path);
  let value = await parse(text);
  let complaint: string | undefined;

  const checkFile = async () => {
    try {
      const newText = await readText(path);
      if (newText !== text) {
        value = await parse(newText);
        text = newText;
        log.info('key_file.read', { id: name });
      }
      complaint = undefined;
    } catch (error) {
      // Other messages are not logged: a parser's message may quote the file.
      const reason = error instanceof WrongFile ? error.message : 'unreadable';
      if (reason !== complaint) log.error('key_file.refused', { id: name, reason });
      complaint = reason;
    }
  };

  let lastCheck: Promise<void> = Promise.resolve();
  let nextCheck: Promise<void> | undefined;
  // A read under way may have begun before the change, so the caller waits for a read that begins after the call.
  const refresh = () => {
    nextCheck ??= lastCheck.then(() => {
      nextCheck = undefined;
      lastCheck = checkFile();
      return lastCheck;
    });
    return nextCheck;
  };

  // `checkFile` logs its failures and never rejects.
  const timer = setInterval(() => void refresh(), CHECK_EVERY_MS).unref();
  return { current: () => value, refresh, close: () => clearInterval(timer) };
};

/** The text of a file. Throws `WrongFile`. */
export const readText = async (path: string): Promise<string> => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = Object(error);
    throw new WrongFile(`cannot be read${code === undefined ? '' : ` (${code})`}`, { cause: error });
  }
};
