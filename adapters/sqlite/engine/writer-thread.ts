import { parentPort, workerData } from 'node:worker_threads';
import type { Unit } from '../../sql/database.ts';
import { runBatch } from './batch.ts';
import { connect } from './connection.ts';
import type { WriterFile } from './group-commit.ts';

/** The time from a write until the write-ahead log is emptied. Until then it holds data that the write deleted. */
const EMPTY_AFTER_MS = 30_000;

/** Runs in a worker thread: answers each batch once it is committed (on disk if `durable`), and ends at `close`. */
const serve = (port: NonNullable<typeof parentPort>, { file, durable, emptyAfter }: WriterFile) => {
  const connection = connect(file, durable);
  let emptying: NodeJS.Timeout | undefined;

  /** Empties the log; false if another process that uses the log, or a full disk, prevents this. */
  const emptyLog = (): boolean => {
    try {
      const [answer] = connection.all('PRAGMA wal_checkpoint(TRUNCATE)', []);
      return answer?.busy === 0;
    } catch {
      return false;
    }
  };
  const emptyLater = () => {
    emptying ??= setTimeout(() => {
      emptying = undefined;
      if (!emptyLog()) emptyLater();
    }, emptyAfter ?? EMPTY_AFTER_MS).unref();
  };

  const close = () => {
    clearTimeout(emptying);
    emptyLog();
    connection.close();
    port.close();
  };

  port.on('message', (message: readonly Unit[] | 'close') => {
    if (message === 'close') return close();
    port.postMessage(runBatch(connection, message));
    emptyLater();
  });
};

if (parentPort !== null) serve(parentPort, workerData as WriterFile);
