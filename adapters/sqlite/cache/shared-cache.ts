import { cacheUnavailable } from '../../../core/files/errors.ts';
import type { Log } from '../../../core/ports.ts';
import { openDatabaseFile } from '../engine/database-file.ts';
import { makeReplaceableFile } from '../engine/replaceable-file.ts';
import type { Outcome, Row, Scalar, Unit } from '../engine/statements.ts';
import { currentBoot, isSameBoot } from './boot.ts';
import { ABOUT, cacheSchema, FORMAT } from './cache-schema.ts';

/** The file of the cache, whichever is in place. Calls throw `unavailable` (`cache_unavailable`) while it fails. */
export interface SharedCache {
  all(sql: string, params: readonly Scalar[]): readonly Row[];
  /** When it resolves, the file in place has it. */
  write(unit: Unit): Promise<Outcome>;
  /** Whether the last write failed, or the file could not be opened. */
  isFailing(): boolean;
  close(): Promise<void>;
}

/** Milliseconds between two looks whether the file was replaced. */
const LOOK = 500;
/** Milliseconds for which another process that opens the file is waited for. */
const PATIENCE = 1_000;

/** A refusal of the call's input stays as it is; any other error becomes a failure of the cache. */
const asUnavailable = (error: unknown) => (error instanceof TypeError ? error : cacheUnavailable());

/**
 * Opens a cache that every process of the machine shares. Nothing in it is synced to the disk, so the file holds good
 * for one boot: after a loss of power it might lack removals that were acknowledged. A file of another boot or another
 * format is made anew. Never throws: a file that cannot be opened is tried again later.
 */
export const openSharedCache = (given: {
  readonly file: string;
  readonly log: Log;
  /** Called when it works again, or another file has taken its place. */
  readonly onReturn: () => void;
  readonly boot?: string;
}): SharedCache => {
  const { file, log, onReturn, boot = currentBoot() } = given;
  const migrations = [`${cacheSchema} INSERT INTO about VALUES (${FORMAT}, '${boot}')`];
  const shared = makeReplaceableFile({
    file,
    patience: PATIENCE,
    isWanted: (connection) => {
      const about = connection.get(ABOUT, []);
      return about?.format === FORMAT && about.version === 1 && isSameBoot(String(about.boot), boot);
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
  const looking = setInterval(shared.follow, LOOK).unref();

  const inUse = () => {
    const held = shared.current();
    if (held === undefined) throw cacheUnavailable();
    return held;
  };

  const write = async (unit: Unit, again = true): Promise<Outcome> => {
    const held = inUse();
    const outcome = await held.opened.write(unit);
    if (held.isInPlace()) return outcome;
    shared.follow();
    if (!again) throw cacheUnavailable();
    return write(unit, false);
  };

  shared.current();
  return {
    all: (sql, params) => {
      try {
        return inUse().opened.read.all(sql, params);
      } catch (error) {
        throw asUnavailable(error);
      }
    },
    write: async (unit) => {
      try {
        const outcome = await write(unit);
        shared.worked();
        return outcome;
      } catch (error) {
        throw asUnavailable(error);
      }
    },
    isFailing: shared.isFailing,
    close: async () => {
      clearInterval(looking);
      await shared.close();
    },
  };
};
