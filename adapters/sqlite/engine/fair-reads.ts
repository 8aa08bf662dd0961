import type { Queries } from '../../sql/database.ts';
import type { SyncQueries } from './database-file.ts';

/** Milliseconds of one turn of the event loop after which further reads wait for a later one. */
const LONGEST_TURN = 4;

/** Lets the event loop go on between reads, which block its thread. Reads that wait are served in the order of their calls. */
export const makeFairReads = ({ get, all }: SyncQueries): Queries => {
  const waiting: (() => void)[] = [];
  let turnStart: number | undefined;

  const endTurn = () => {
    turnStart = undefined;
  };
  /** Whether this turn has used its time. Begins a turn if none is under way. */
  const isTurnOver = (): boolean => {
    if (turnStart !== undefined) return performance.now() - turnStart >= LONGEST_TURN;
    turnStart = performance.now();
    setImmediate(endTurn).unref();
    return false;
  };
  // There is one immediate for each waiting read. A read runs right after `serve` resolves it, and before the next immediate:
  // the check in that one therefore counts the time of the read.
  const serve = () => {
    if (isTurnOver()) setImmediate(serve);
    else waiting.shift()?.();
  };
  const waitForTurn = (): Promise<void> =>
    new Promise((resolve) => {
      waiting.push(resolve);
      setImmediate(serve);
    });

  return {
    get: async (sql, params) => {
      if (isTurnOver()) await waitForTurn();
      return get(sql, params);
    },
    all: async (sql, params) => {
      if (isTurnOver()) await waitForTurn();
      return all(sql, params);
    },
  };
};
