import cluster from 'node:cluster';
import { exitCodes } from '../../adapters/exit-codes.ts';

/** Terminals and service managers signal the whole process group, but only the primary decides when workers end. */
const NOT_FOR_WORKERS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2'] as const;

/**
 * Must be called before other modules are loaded: a signal without a listener kills the process in the middle of its
 * start. Returns an AbortSignal that is aborted at the first SIGTERM or SIGINT, in a worker never. A second one ends the
 * process at once.
 */
export const catchSignals = (): AbortSignal => {
  const controller = new AbortController();
  if (cluster.isWorker) {
    for (const signal of NOT_FOR_WORKERS) process.on(signal, () => {});
    return controller.signal;
  }
  const end = () => {
    if (controller.signal.aborted) process.exit(exitCodes.failed);
    controller.abort();
  };
  process.on('SIGTERM', end).on('SIGINT', end);
  return controller.signal;
};
