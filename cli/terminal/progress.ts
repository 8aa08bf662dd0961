/** A bar on a terminal, nothing elsewhere. */
export interface Progress {
  /** `done` of 0 to 1; null where nobody knows of how much. */
  show(done: number | null, text: string): void;
  /** Takes the bar away, so that a line can be written in its place. */
  clear(): void;
}

const WIDTH = 24;
/** Milliseconds between two looks of the bar. */
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
