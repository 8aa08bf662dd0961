import { cacheUnavailable } from '../../../core/files/errors.ts';
import type { Log } from '../../../core/ports.ts';
import { failureWord } from '../engine/failures.ts';
import type { Outcome, Row, Scalar, Unit } from '../engine/unit.ts';
import { type CacheFile, openCacheFile } from './cache-file.ts';

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
/** Milliseconds until a file that could not be opened is tried again. */
const RETRY = 5_000;
const DAMAGE = new Set(['SQLITE_CORRUPT', 'SQLITE_NOTADB']);

/** What is wrong with a call stays as it is; everything else is the cache's failure. */
const asUnavailable = (error: unknown) => (error instanceof TypeError ? error : cacheUnavailable());

/** Never throws: a file that cannot be opened is tried again later. */
export const openSharedCache = (given: {
  readonly file: string;
  readonly log: Log;
  /** Called when it works again, or another file has taken its place. */
  readonly onReturn: () => void;
  readonly boot?: string;
}): SharedCache => {
  const { log, onReturn } = given;
  let current: CacheFile | undefined;
  let damaged = false;
  let retryAt = 0;
  let failing = false;
  let closed = false;
  const closing = new Set<Promise<void>>();

  const onFailure = (reason: string) => {
    if (!failing) log.warn('cache.failed', { reason });
    failing = true;
  };

  const onSuccess = () => {
    if (!failing) return;
    failing = false;
    log.info('cache.back');
    onReturn();
  };

  const open = (inode: number | undefined): CacheFile => {
    const opened = openCacheFile({
      ...given,
      damaged: damaged ? inode : undefined,
      report: (_, { reason = 'unknown' }) => {
        onFailure(reason);
        damaged ||= DAMAGE.has(reason) && current === opened;
      },
    });
    return opened;
  };

  const letGo = (old: CacheFile) => {
    const end = old.close().catch(() => undefined);
    closing.add(end);
    void end.then(() => closing.delete(end));
  };

  // The old file is open until the new one is, so that no other one has its inode meanwhile.
  const renew = () => {
    const old = current;
    try {
      current = open(old?.inode);
    } catch (error) {
      current = undefined;
      retryAt = performance.now() + RETRY;
      onFailure(failureWord(error));
    }
    damaged = false;
    if (old === undefined) return;
    letGo(old);
    onReturn();
  };

  const inUse = (): CacheFile => {
    if (!closed && (damaged || (current === undefined && performance.now() >= retryAt))) renew();
    if (closed || current === undefined) throw cacheUnavailable();
    return current;
  };

  const look = () => {
    if (current !== undefined && !current.isInPlace()) renew();
  };
  const looking = setInterval(look, LOOK).unref();

  const write = async (unit: Unit, again = true): Promise<Outcome> => {
    const file = inUse();
    const outcome = await file.write(unit);
    if (file.isInPlace()) return outcome;
    if (file === current) renew();
    if (!again) throw cacheUnavailable();
    return write(unit, false);
  };

  renew();
  return {
    all: (sql, params) => {
      try {
        return inUse().read.all(sql, params);
      } catch (error) {
        throw asUnavailable(error);
      }
    },
    write: async (unit) => {
      try {
        const outcome = await write(unit);
        onSuccess();
        return outcome;
      } catch (error) {
        throw asUnavailable(error);
      }
    },
    isFailing: () => failing,
    close: async () => {
      closed = true;
      clearInterval(looking);
      if (current !== undefined) letGo(current);
      await Promise.all(closing);
    },
  };
};
