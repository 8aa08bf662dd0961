import { setTimeout as wait } from 'node:timers/promises';

/** Where bytes go. Both reject or throw `EAGAIN` while it takes none, and give how many it took. */
export interface Descriptor {
  write(bytes: Uint8Array): Promise<number>;
  writeNow(bytes: Uint8Array): number;
}

/** Text on its way to a descriptor, which neither its disk nor its reader can hold up. */
export interface Output {
  /** Takes one line or several, each with its end. */
  write(text: string): void;
  /** Writes out what is kept, for half a second at the most while nobody reads. */
  flush(): Promise<void>;
}

/** Characters kept while nothing can be written; lines that come then are dropped. */
const MOST_KEPT = 1_048_576;
/** Characters that are written without waiting for more: some 150 lines, since each write wakes a thread. */
const ENOUGH = 32_768;
/** Milliseconds until what is kept is written, or tried again. */
const EVERY = 100;
const PATIENCE = 500;
const AGAIN = 20;
const LATE = 'late';
const NOTHING = new Uint8Array();

type Ending = 'done' | 'stalled' | 'failed';

const isStalled = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EAGAIN';

/**
 * Keeps lines for a moment and writes them together. What could not be written is tried again from the byte where it
 * broke off, so that no line is cut. `onResumed` is told how many lines were dropped once others can be written.
 * See decision 0053.
 */
export const makeOutput = (to: Descriptor, onResumed: (dropped: number) => void): Output => {
  let lines = '';
  let bytes: Uint8Array = NOTHING;
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<Ending> | undefined;
  let last: Ending = 'done';

  const isEmpty = () => bytes.length === 0 && lines === '';
  const next = (): Uint8Array => {
    if (bytes.length === 0) {
      bytes = Buffer.from(lines);
      lines = '';
    }
    return bytes;
  };
  const taken = (count: number) => {
    bytes = bytes.subarray(count);
    if (dropped === 0) return;
    const lost = dropped;
    dropped = 0;
    onResumed(lost);
  };

  const writeAll = async (): Promise<Ending> => {
    try {
      while (!isEmpty()) taken(await to.write(next()));
      last = 'done';
    } catch (error) {
      last = isStalled(error) ? 'stalled' : 'failed';
    }
    writing = undefined;
    if (isEmpty()) process.off('exit', atExit);
    else later();
    return last;
  };
  const run = (): Promise<Ending> => {
    clearTimeout(timer);
    timer = undefined;
    writing ??= writeAll();
    return writing;
  };
  const later = () => {
    timer ??= setTimeout(run, EVERY).unref();
  };

  // Whatever ends the process, the last lines are the ones that tell why.
  const atExit = () => {
    // What is being written at this moment is on its way.
    if (writing !== undefined) bytes = NOTHING;
    try {
      while (!isEmpty()) taken(to.writeNow(next()));
    } catch {
      // There is no later.
    }
  };

  return {
    write: (text) => {
      if (lines.length + bytes.length + text.length > MOST_KEPT) {
        dropped += text.split('\n').length - 1;
        return;
      }
      if (isEmpty()) process.once('exit', atExit);
      lines += text;
      if (writing !== undefined) return;
      if (lines.length >= ENOUGH && last === 'done') void run();
      else later();
    },
    flush: async () => {
      const end = performance.now() + PATIENCE;
      while (!isEmpty()) {
        const left = end - performance.now();
        const given = await Promise.race([run(), wait(Math.max(left, 0), LATE, { ref: false })]);
        if (given === 'failed' || left <= 0) return;
        if (given === 'stalled') await wait(AGAIN);
      }
    },
  };
};
