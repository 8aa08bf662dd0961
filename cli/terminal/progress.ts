/** A progress bar on a terminal; prints nothing elsewhere. */
export interface Progress {
  /** `share` is 0 to 1, or null if the total is unknown. */
  show(share: number | null, text: string): void;
  /** Removes the bar, so that a line can be printed in its place. */
  clear(): void;
}

const WIDTH = 24;
const UPDATE_INTERVAL_MS = 100;

const barOf = (share: number): string => {
  const filled = Math.round(WIDTH * share);
  return `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${Math.floor(100 * share)} % `;
};

export const makeProgress = (stream: NodeJS.WriteStream = process.stderr): Progress => {
  if (!stream.isTTY) return { show: () => undefined, clear: () => undefined };
  let shownAt = 0;
  return {
    show: (share, text) => {
      const now = performance.now();
      if (now - shownAt < UPDATE_INTERVAL_MS) return;
      shownAt = now;
      const line = `${share === null ? '' : barOf(Math.min(1, share))}${text}`;
      // A line that wraps could not be written over. A terminal that does not know its width has 0 columns.
      stream.write(`\r${line.slice(0, (stream.columns || Infinity) - 1)}\u001b[K`);
    },
    clear: () => {
      stream.write('\r\u001b[K');
      shownAt = 0;
    },
  };
};
