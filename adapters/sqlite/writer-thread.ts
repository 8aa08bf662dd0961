import { parentPort, workerData } from 'node:worker_threads';
import { runBatch } from './batch.ts';
import { connect } from './connection.ts';
import type { Unit } from './unit.ts';
import type { WriterFile } from './writer.ts';

/** Runs in a worker thread: answers each batch once it is on disk, and ends at `close`. */
const serve = (port: NonNullable<typeof parentPort>, { file, durable }: WriterFile) => {
  const connection = connect(file, durable);

  const close = () => {
    try {
      connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // Another process is at it, or the disk is full: the log is kept and read at the next start.
    }
    connection.close();
    port.close();
  };

  port.on('message', (message: readonly Unit[] | 'close') => {
    if (message === 'close') close();
    else port.postMessage(runBatch(connection, message));
  });
};

if (parentPort !== null) serve(parentPort, workerData as WriterFile);
