import { setTimeout as wait } from 'node:timers/promises';

/** A destination of bytes. Both methods return how many bytes were written, and fail with `EAGAIN` while it accepts none. */
export interface Descriptor {
  write(bytes: Uint8Array): Promise<number>;
  writeNow(bytes: Uint8Array): number;
}

/** Buffered text output that neither a slow disk nor a slow reader can block. */
export interface Output {
  /** Accepts one line or several, each with its line break. */
  write(text: string): void;
  /** Writes the buffered lines; gives up after a failure, or after half a second if nothing reads them. */
  flush(): Promise<void>;
}

/** The most that is buffered while nothing can be written; further lines are dropped. */
const MOST_BUFFERED_CHARACTERS = 1_048_576;
/** As soon as so much is buffered, it is written: some 150 lines at once, since each write wakes a thread. */
const WRITE_CHARACTERS = 32_768;
/** The time until buffered lines are written, or written again after a failure. */
const WRITE_INTERVAL_MS = 100;
/** How long `flush` tries to write. */
const FLUSH_MS = 500;
/** The time between two attempts of `flush`. */
const FLUSH_RETRY_MS = 20;
/** What `flush` gets instead of an ending when its time is over. */
const LATE = 'late';
const NOTHING = new Uint8Array();

type Ending = 'done' | 'stalled' | 'failed';

const isStalled = (error: unknown): boolean => Object(error).code === 'EAGAIN';

/**
 * Buffers lines briefly and writes them together. After a failure writing resumes at the byte where it stopped, so that no
 * line is cut. `onResumed` gets the number of dropped lines once lines can be written again. See decision 0053.
 */
export const makeOutput = (to: Descriptor, onResumed: (dropped: number) => void): Output => {
  let lines = '';
  let bytes: Uint8Array = NOTHING;
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<Ending> | undefined;
  let lastEnding: Ending = 'done';
  let awaitsExit = false;

  const isEmpty = () => bytes.length === 0 && lines === '';
  const nextBytes = (): Uint8Array => {
    if (bytes.length === 0) {
      bytes = Buffer.from(lines);
      lines = '';
    }
    return bytes;
  };
  const onWritten = (count: number) => {
    bytes = bytes.subarray(count);
    const lost = dropped;
    dropped = 0;
    if (lost > 0) onResumed(lost);
  };

  const writeAll = async (): Promise<Ending> => {
    try {
      while (!isEmpty()) onWritten(await to.write(nextBytes()));
      lastEnding = 'done';
    } catch (error) {
      lastEnding = isStalled(error) ? 'stalled' : 'failed';
    }
    writing = undefined;
    if (isEmpty()) {
      process.off('exit', atExit);
      awaitsExit = false;
    } else writeLater();
    return lastEnding;
  };
  const run = (): Promise<Ending> => {
    clearTimeout(timer);
    timer = undefined;
    // `writeAll` unsets `writing` when it ends, and must not end before this assignment. It does not: `run` is called only while
    // lines are buffered, so `writeAll` first awaits a write.
    writing ??= writeAll();
    return writing;
  };
  const writeLater = () => {
    // `run` never rejects: a failed write is an ending.
    timer ??= setTimeout(() => void run(), WRITE_INTERVAL_MS).unref();
  };

  // The last lines before an exit often tell its cause, so they are written synchronously.
  const atExit = () => {
    // A write under way has these bytes already.
    if (writing !== undefined) bytes = NOTHING;
    try {
      while (!isEmpty()) onWritten(to.writeNow(nextBytes()));
    } catch {
      // The process ends: there is no further attempt.
    }
  };

  return {
    write: (text) => {
      if (lines.length + bytes.length + text.length > MOST_BUFFERED_CHARACTERS) {
        dropped += text.split('\n').length - 1;
        return;
      }
      if (!awaitsExit) process.once('exit', atExit);
      awaitsExit = true;
      lines += text;
      if (writing !== undefined) return;
      if (lines.length >= WRITE_CHARACTERS && lastEnding === 'done') void run();
      else writeLater();
    },
    flush: async () => {
      const end = performance.now() + FLUSH_MS;
      while (!isEmpty()) {
        const remaining = end - performance.now();
        const ending = await Promise.race([run(), wait(Math.max(remaining, 0), LATE, { ref: false })]);
        if (ending === 'failed' || remaining <= 0) return;
        if (ending === 'stalled') await wait(FLUSH_RETRY_MS);
      }
    },
  };
};
