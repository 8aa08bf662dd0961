import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Leases } from '../../../core/index.ts';
import { type Hold, holdToImport } from '../../moving/hold.ts';

/** Somebody else is about to use the store: this import wrote nothing, or nothing more. */
export class StoreTaken extends Error {
  constructor() {
    super(
      'Another import into this store is under way, or a server was just started on it: let the import end, or stop the server and run it again.',
    );
    this.name = 'StoreTaken';
  }
}

/** Milliseconds: one that crashed holds the store for 3 s. */
const PATIENCE = 4_000;
const BETWEEN_TRIES = 200;
/** Milliseconds between two renewals while it is at work, however long a batch takes. */
const RENEWED_EVERY = 1_000;

const renewed = (hold: Hold, every: number): Hold => {
  const beat = setInterval(() => void hold.keep().catch(() => undefined), every).unref();
  return {
    keep: hold.keep,
    release: async () => {
      clearInterval(beat);
      await hold.release();
    },
  };
};

/** Takes the store for an import alone. Throws `StoreTaken`. */
export const takeStore = async (
  leases: Pick<Leases, 'take' | 'release'>,
  { patience = PATIENCE, every = RENEWED_EVERY } = {},
): Promise<Hold> => {
  const holder = `import ${randomUUID()}`;
  for (const until = performance.now() + patience; performance.now() < until; await pause(BETWEEN_TRIES)) {
    const hold = await holdToImport(leases, holder);
    if (hold !== undefined) return renewed(hold, every);
  }
  throw new StoreTaken();
};
