import type { Log } from '../../../core/ports.ts';
import { failureWord, isBusy } from '../engine/failures.ts';
import { makeReplaceableFile } from '../engine/replaceable-file.ts';
import { openFileCounts, PROBE } from './file-counts.ts';
import { type CallCount, type Calls, makeMemoryCounts } from './memory-counts.ts';

/** The time to wait while another process opens the file. The wait blocks this process, so it is short. */
const OPEN_TIMEOUT_MS = 100;

/** Counts in the shared file, or in memory while the file fails. */
export const makeFileOrMemoryCounts = (file: string, log: Log) => {
  const memory = makeMemoryCounts();
  const shared = makeReplaceableFile({
    file,
    patience: OPEN_TIMEOUT_MS,
    // A file with other tables fails the probe, and is replaced.
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
    shared.release();
  };

  return {
    /** Undefined while another process writes to the file: try again soon. If `canWait` is false, it counts in memory instead. */
    add: (
      calls: ReadonlyMap<string, Calls>,
      now: number,
      canWait: boolean,
    ): ReadonlyMap<string, CallCount> | undefined => {
      const openFile = shared.current();
      if (openFile === undefined) return memory.add(calls, now);
      try {
        const counted = openFile.handle.add(calls, now);
        shared.worked();
        return counted;
      } catch (error) {
        if (canWait && isBusy(error)) return undefined;
        onFailure(error);
        return memory.add(calls, now);
      }
    },
    /** Call it regularly: it deletes old windows and follows a replaced file. True: call again at once. */
    tend: (now: number): boolean => {
      memory.sweep(now);
      const openFile = shared.follow();
      if (openFile === undefined) return false;
      try {
        return openFile.handle.sweep(now);
      } catch (error) {
        if (!isBusy(error)) onFailure(error);
        return false;
      }
    },
    /** Closes the file. Later calls are counted in memory. */
    close: (): void => {
      void shared.close();
    },
  };
};
