/** A progress bar on a terminal; prints nothing elsewhere. */
export interface Progress {
  /** `done` is 0 to 1, or null if the total is unknown. */
  show(done: number | null, text: string): void;
  /** Removes the bar, so that a line can be printed in its place. */
  clear(): void;
}

const WIDTH = 24;
/** Milliseconds between two updates of the bar. */
const EVERY = 100;

const barOf = (done: number): string => {
  const filled = Math.round(WIDTH * done);
  return `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${Math.floor(100 * done)} % `;
};

export const makeProgress = (stream: NodeJS.WriteStream = process.stderr): Progress => {
  if (!stream.isTTY) return { show: () => undefined, clear: () => undefined };
  let shownAt = 0;
  return {
    show: (done, text) => {
      const now = performance.now();
      if (now - shownAt < EVERY) return;
      shownAt = now;
      stream.write(`\r${done === null ? '' : barOf(Math.min(1, done))}${text}\u001b[K`);
    },
    clear: () => {
      stream.write('\r\u001b[K');
      shownAt = 0;
    },
  };
};
