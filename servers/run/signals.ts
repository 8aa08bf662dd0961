import cluster from 'node:cluster';
import { exitCodes } from '../../adapters/exit-codes.ts';

/** A terminal and a service manager signal the whole group. The process that leads decides when its workers go. */
const NOT_FOR_WORKERS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2'] as const;

/**
 * To be called before anything else is loaded: a signal that nobody listens to kills the process wherever its start is.
 * Gives what is aborted at the first SIGTERM or SIGINT; a second one ends the process at once.
 */
export const catchSignals = (): AbortSignal => {
  const asked = new AbortController();
  if (cluster.isWorker) {
    for (const signal of NOT_FOR_WORKERS) process.on(signal, () => {});
    return asked.signal;
  }
  const end = () => {
    if (asked.signal.aborted) process.exit(exitCodes.failed);
    asked.abort();
  };
  process.on('SIGTERM', end).on('SIGINT', end);
  return asked.signal;
};
