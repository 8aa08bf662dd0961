import type { Queries } from '../../sql/database.ts';
import type { SyncQueries } from './database-file.ts';

/** The time in one turn of the event loop after which further reads wait for a later one. */
const LONGEST_TURN_MS = 4;
/**
 * A read that takes as long as this, such as a page of a search or of a bulk job, ends the turn by itself. A request makes several
 * short reads, one after the other: if each turn were filled with long reads, it would wait `LONGEST_TURN_MS` for each of its own.
 */
const LONG_READ_MS = 0.5;

/** Lets the event loop go on between reads, which block its thread. Reads that wait are served in the order of their calls. */
export const makeFairReads = ({ get, all }: SyncQueries): Queries => {
  const waiting: (() => void)[] = [];
  let turnStart: number | undefined;
  let hadLongRead = false;

  const endTurn = () => {
    turnStart = undefined;
    hadLongRead = false;
  };
  /** Whether this turn has used its time or had a long read. Begins a turn if none is under way. */
  const isTurnOver = (): boolean => {
    if (turnStart !== undefined) return hadLongRead || performance.now() - turnStart >= LONGEST_TURN_MS;
    turnStart = performance.now();
    setImmediate(endTurn).unref();
    return false;
  };
  // Each waiting read has an immediate of its own. `serve` lets one read go on in it if time is left.
  const serve = () => {
    if (isTurnOver()) setImmediate(serve);
    else waiting.shift()?.();
  };
  const waitForTurn = (): Promise<void> =>
    new Promise((resolve) => {
      waiting.push(resolve);
      setImmediate(serve);
    });

  const inTurn = async <T>(read: () => T): Promise<T> => {
    if (isTurnOver()) await waitForTurn();
    const startedAt = performance.now();
    try {
      return read();
    } finally {
      hadLongRead ||= performance.now() - startedAt >= LONG_READ_MS;
    }
  };

  return {
    get: (sql, params) => inTurn(() => get(sql, params)),
    all: (sql, params) => inTurn(() => all(sql, params)),
  };
};
