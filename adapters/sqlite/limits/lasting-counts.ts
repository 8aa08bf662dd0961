import type { Log } from '../../../core/ports.ts';
import { failureWord, isBusy } from '../engine/failures.ts';
import { makeReplaceableFile } from '../engine/replaceable-file.ts';
import type { Calls, Counted } from './counts.ts';
import { openFileCounts, PROBE } from './file-counts.ts';
import { makeMemoryCounts } from './memory-counts.ts';

/** Counts that are always to be had: from the shared file, or from memory while that fails. */
export interface LastingCounts {
  /** Undefined while another process writes to the file: ask again in a moment, unless there is no more `patience`. */
  add(
    calls: ReadonlyMap<string, Calls>,
    now: number,
    patience: boolean,
  ): ReadonlyMap<string, Counted> | undefined;
  /** To be called now and then: drops old windows and sees whether the file was replaced; true: come again at once. */
  tend(now: number): boolean;
  /** Lets go of the file; what comes later is counted in memory. */
  close(): void;
}

/** Milliseconds for which another process that opens the file is waited for: the calls of this one wait for as long. */
const PATIENCE = 100;

export const makeLastingCounts = (file: string, log: Log): LastingCounts => {
  const memory = makeMemoryCounts();
  const shared = makeReplaceableFile({
    file,
    patience: PATIENCE,
    isWanted: (connection) => {
      connection.get(PROBE, []);
      return true;
    },
    open: () => openFileCounts(file),
    onFailure: (reason) => log.warn('limiter.apart', { reason }),
    onRecovery: () => log.info('limiter.shared'),
    onDeleted: (reason) => log.warn('limiter.recreated', { reason }),
  });

  const onFailure = (error: unknown) => {
    shared.failed(failureWord(error));
    shared.letGo();
  };

  return {
    add: (calls, now, patience) => {
      const held = shared.current();
      if (held === undefined) return memory.add(calls, now);
      try {
        const counted = held.opened.add(calls, now);
        shared.worked();
        return counted;
      } catch (error) {
        if (patience && isBusy(error)) return undefined;
        onFailure(error);
        return memory.add(calls, now);
      }
    },
    tend: (now) => {
      memory.sweep(now);
      const held = shared.follow();
      if (held === undefined) return false;
      try {
        return held.opened.sweep(now);
      } catch (error) {
        if (!isBusy(error)) onFailure(error);
        return false;
      }
    },
    close: () => {
      void shared.close();
    },
  };
};
