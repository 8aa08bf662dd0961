import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { cacheUnavailable } from '../../../core/files/errors.ts';
import type { Log } from '../../../core/ports.ts';
import { hasChanged, type Outcome, type Row, type Scalar, type Unit } from '../../sql/database.ts';
import { openDatabaseFile } from '../engine/database-file.ts';
import { makeReplaceableFile } from '../engine/replaceable-file.ts';
import { ABOUT, cacheSchema, FORMAT } from './cache-schema.ts';

/** The time by which two computed times of one boot may differ, because the clock is adjusted. */
const BOOT_TOLERANCE_SECONDS = 60;

/** The kernel's boot id, else the time of the boot in epoch seconds. See decision 0050. */
const currentBoot = (): string => {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return String(Math.round(Date.now() / 1_000 - uptime()));
  }
};

const isSameBoot = (recorded: string, current: string): boolean =>
  recorded === current ||
  (/^\d+$/.test(recorded) &&
    /^\d+$/.test(current) &&
    Math.abs(Number(recorded) - Number(current)) <= BOOT_TOLERANCE_SECONDS);

/** The cache's current file. Calls throw `unavailable` (`cache_unavailable`) while it fails. */
export interface SharedCache {
  all(sql: string, params: readonly Scalar[]): readonly Row[];
  /** When it resolves, the current file has the change. */
  write(unit: Unit): Promise<Outcome>;
  /** Whether a read or write failed, or the file could not be opened, and no write has changed anything since. */
  isFailing(): boolean;
  close(): Promise<void>;
}

/** The time between two checks whether the file was replaced. */
const CHECK_INTERVAL_MS = 500;
/** The time to wait for another process that opens the file. */
const LOCK_TIMEOUT_MS = 1_000;

/** An error about the call's input stays as it is; any other error becomes a failure of the cache. */
const asUnavailable = (error: unknown) => (error instanceof TypeError ? error : cacheUnavailable());

/**
 * Opens a cache that every process of the machine shares. Nothing in it is synced to the disk, so the file is valid for
 * one boot: after a loss of power it might lack removals that were acknowledged. A file of another boot or format is
 * created anew. Never throws: if the file cannot be opened, it is opened later.
 */
export const openSharedCache = ({
  file,
  log,
  onReturn,
  boot = currentBoot(),
}: {
  readonly file: string;
  readonly log: Log;
  /** Called when the cache works again, or its file was replaced. */
  readonly onReturn: () => void;
  readonly boot?: string;
}): SharedCache => {
  const migrations = [`${cacheSchema} INSERT INTO about VALUES (${FORMAT}, '${boot}')`];
  const shared = makeReplaceableFile({
    file,
    patience: LOCK_TIMEOUT_MS,
    isWanted: (connection) => {
      const about = connection.get(ABOUT, []);
      return (
        about?.format === FORMAT &&
        about.version === migrations.length &&
        isSameBoot(String(about.boot), boot)
      );
    },
    open: (failed) =>
      openDatabaseFile({
        file,
        migrations,
        durable: false,
        report: (_, { reason = 'unknown' }) => failed(reason),
      }),
    onFailure: (reason) => log.warn('cache.failed', { reason }),
    onRecovery: () => {
      log.info('cache.back');
      onReturn();
    },
    onReplaced: onReturn,
  });
  const followTimer = setInterval(shared.follow, CHECK_INTERVAL_MS).unref();

  const requireOpenFile = () => {
    const openFile = shared.current();
    if (openFile === undefined) throw cacheUnavailable();
    return openFile;
  };

  /** If the file was replaced meanwhile, the change is in a deleted file: writes it once more, to the new file. */
  const write = async (unit: Unit, mayRepeat = true): Promise<Outcome> => {
    const openFile = requireOpenFile();
    const outcome = await openFile.handle.write(unit);
    if (openFile.isInPlace()) return outcome;
    shared.follow();
    if (!mayRepeat) throw cacheUnavailable();
    return write(unit, false);
  };

  // Opens the file now, rather than at the first call.
  shared.current();
  return {
    all: (sql, params) => {
      try {
        return requireOpenFile().handle.read.all(sql, params);
      } catch (error) {
        throw asUnavailable(error);
      }
    },
    write: async (unit) => {
      try {
        const outcome = await write(unit);
        // A write that changes nothing succeeds on a full disk, too.
        if (hasChanged(outcome)) shared.worked();
        return outcome;
      } catch (error) {
        throw asUnavailable(error);
      }
    },
    isFailing: shared.isFailing,
    close: async () => {
      clearInterval(followTimer);
      await shared.close();
    },
  };
};
