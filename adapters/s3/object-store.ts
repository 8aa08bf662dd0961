import { randomUUID } from 'node:crypto';
import type { ObjectStore } from '../../core/accounts/ports.ts';
import { isObjectPath, objectFolder, objectPath } from '../../core/accounts/safe-object-path.ts';
import { makeSharedCalls } from '../../core/join-running-calls.ts';
import { partsOf } from '../../core/pagination.ts';
import type { Log } from '../../core/ports.ts';
import { FailedAttempt } from '../calls/failed-attempt.ts';
import { type Deadlines, makeServiceCalls } from '../calls/service-calls.ts';
import { storeUnavailable } from '../calls/store-calls.ts';
import { type BucketSettings, openBucket } from './bucket.ts';

/** Milliseconds, enough for an object of 2 MB over a slow line. */
const DEADLINES: Deadlines = { attempt: 4_000, call: 10_000 };
/** Of `tryOut`, for which the start of a server waits. */
const AT_START: Deadlines = { attempt: 1_500, call: 1_500 };

/** The key of the check for conditional writes. No object has this path. */
const PROBE = 'conditional-write';

const PARALLEL_REMOVALS = 16;

export interface S3Objects extends ObjectStore {
  /**
   * Checks with one attempt whether the bucket can be used. A bucket that is down passes. Throws `FailedAttempt` for a lasting
   * failure, such as a missing bucket, wrong credentials, or a service that would overwrite objects.
   */
  tryOut(): Promise<void>;
  /** False while the bucket is down, as the last calls of this process show; `tryOut` does not count. It makes no call. */
  isUp(): boolean;
  close(): void;
}

/**
 * Objects in a bucket of S3 or a compatible service, under `<prefix>/<path>`. Opening makes no call. `deadlines`: by
 * default 4 seconds for an attempt and 10 for a call. Throws `MissingPackage` and `MissingRegion`. See decision 0022.
 */
export const openS3Objects = async (
  settings: BucketSettings & { readonly log: Log; readonly deadlines?: Deadlines },
): Promise<S3Objects> => {
  const { log, prefix, deadlines = DEADLINES } = settings;
  const bucket = await openBucket(settings);
  const callsWithin = (limits: Deadlines) =>
    makeServiceCalls({ name: 'objects', unavailable: () => storeUnavailable(), log, deadlines: limits });
  const calls = callsWithin(deadlines);
  const keyPrefix = prefix === '' ? '' : `${prefix}/`;
  const keyOf = (path: string): string => keyPrefix + objectPath(path);

  /** Throws `FailedAttempt` if a second write replaces the first. A write that finds an object must return false. */
  const probe = async (signal: AbortSignal): Promise<void> => {
    const write = () => bucket.write(keyPrefix + PROBE, new Uint8Array(), randomUUID(), signal);
    if ((await write()) && (await write())) throw new FailedAttempt('lasting', 'unconditional');
  };
  let isTriedOut = false;
  const join = makeSharedCalls<void>();
  const requireConditionalWrites = async (): Promise<void> => {
    if (isTriedOut) return;
    await join(PROBE, () => calls.run(probe));
    isTriedOut = true;
  };

  const removeKey = (key: string): Promise<void> => calls.run((signal) => bucket.remove(key, signal));

  /** The objects whose keys begin with `start`, in pages. */
  async function* pagesOf(start: string) {
    let next: string | undefined;
    do {
      const after = next;
      const page = await calls.run((signal) => bucket.list(start, after, signal));
      yield page.objects;
      next = page.next;
    } while (next !== undefined);
  }

  return {
    put: async (path, bytes) => {
      const key = keyOf(path);
      await requireConditionalWrites();
      const idempotencyKey = randomUUID();
      let attempts = 0;
      return calls.run(async (signal) => {
        attempts += 1;
        if (await bucket.write(key, bytes, idempotencyKey, signal)) return true;
        // The answer to an earlier attempt may have been lost.
        return attempts > 1 && (await bucket.idempotencyKeyOf(key, signal)) === idempotencyKey;
      });
    },
    find: async (path) => {
      const key = keyOf(path);
      return calls.run((signal) => bucket.read(key, signal));
    },
    remove: async (path) => removeKey(keyOf(path)),
    removeAll: async (userId) => {
      for await (const page of pagesOf(`${keyPrefix}${objectFolder(userId)}/`)) {
        for (const group of partsOf(page, PARALLEL_REMOVALS)) {
          await Promise.all(group.map(({ key }) => removeKey(key)));
        }
      }
    },
    async *list() {
      for await (const page of pagesOf(keyPrefix)) {
        for (const { key, storedAt } of page) {
          const path = key.slice(keyPrefix.length);
          if (isObjectPath(path)) yield { path, storedAt };
        }
      }
    },
    tryOut: async () => {
      // Kept here, since `run` throws an error without a reason in place of a `FailedAttempt`.
      let refusal: FailedAttempt | undefined;
      const attempt = (signal: AbortSignal) =>
        probe(signal).catch((error: unknown) => {
          if (error instanceof FailedAttempt && error.kind === 'lasting') refusal = error;
          throw error;
        });
      isTriedOut = await callsWithin(AT_START)
        .run(attempt, 1)
        .then(
          () => true,
          () => false,
        );
      if (refusal !== undefined) throw refusal;
    },
    isUp: calls.isUp,
    close: () => {
      calls.close();
      bucket.close();
    },
  };
};
