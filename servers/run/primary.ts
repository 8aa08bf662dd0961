import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import { makeLog, openAggregate } from '../../adapters/compose.ts';
import type { Config } from '../../adapters/config.ts';
import { exitCodes } from '../../adapters/exit-codes.ts';
import type { RunningServer } from '../http/listen/serve.ts';
import { serveMetrics } from '../http/metrics-listener.ts';
import { endWhen, endWith, printLine } from './end-process.ts';
import { followWorker, WorkerEnded } from './follow-worker.ts';
import { startupMessage } from './startup-message.ts';
import { makeWorkerPool } from './worker-pool.ts';

/** The number of hashing processes of each worker: together `total`, the first ones with the remainder, but at least one each. */
export const hashWorkersOf = (total: number, workers: number): readonly number[] =>
  Array.from({ length: workers }, (_, index) => {
    const takesRemainder = index < total % workers;
    return Math.max(1, Math.floor(total / workers) + (takesRemainder ? 1 : 0));
  });

/** The V8 threads that Node.js gives each process by default, whatever the machine. */
const V8_THREADS = 4;

/**
 * The number of V8 threads of each worker, beside its main thread. When the workers already use all cores, more threads
 * only slow down garbage collection: the main thread waits until each of them gets a core.
 */
export const v8ThreadsOf = (cores: number, workers: number): number =>
  Math.max(1, Math.min(V8_THREADS, Math.floor(cores / workers)));

/** On a terminal SIGHUP means that the terminal was closed, so it ends the process and renews nothing. */
const renewalSignals = (): readonly NodeJS.Signals[] =>
  process.stderr.isTTY ? ['SIGUSR2'] : ['SIGHUP', 'SIGUSR2'];

/**
 * Runs `WORKERS` processes that serve on the same ports. Starts them, restarts those that die, and renews them one
 * after the other on SIGHUP or SIGUSR2. Drains them when `endSignal` is aborted. Writes their log. Ends the process
 * if the first worker cannot start.
 */
export const runPrimary = async (config: Config, endSignal: AbortSignal): Promise<void> => {
  // Each worker writes its log to a pipe of its own: lines of several workers on one pipe would mix.
  cluster.setupPrimary({
    execArgv: [`--v8-pool-size=${v8ThreadsOf(availableParallelism(), config.workers)}`, ...process.execArgv],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const log = makeLog(config.logLevel);
  const hashWorkers = hashWorkersOf(config.hashWorkers, config.workers);
  // A new worker listens at the addresses of the others, even if the settings have changed since.
  const addresses = {
    HOST: config.host,
    ACCOUNTS_PORT: config.accountsPort,
    METADATA_PORT: config.metadataPort,
    CONSOLE_HOST: config.console.host,
    CONSOLE_PORT: config.console.port ?? 'off',
  };
  const pool = makeWorkerPool({
    count: config.workers,
    log,
    begin: (slot) => followWorker(cluster.fork({ ...addresses, HASH_WORKERS: hashWorkers[slot] }), log.pass),
  });

  let metrics: RunningServer | undefined;
  endWhen(endSignal, async () => {
    const endedWell = await pool.close();
    await metrics?.close();
    await log.flush();
    return endedWell ? exitCodes.done : exitCodes.failed;
  });
  // The metrics of all workers, added up.
  if (config.metrics !== null)
    metrics = await serveMetrics({ ...config.metrics, scrape: openAggregate(), log });
  const opening = pool.open().catch(async (error: unknown) => {
    if (!(error instanceof WorkerEnded)) throw error;
    await log.flush();
    const { code, failure } = error.exit;
    return endWith(failure ?? { code, lines: [error.message] });
  });
  // A signal during the start renews afterwards: files may have changed since the first worker read them.
  for (const signal of renewalSignals()) process.on(signal, () => void opening.then(() => pool.renew()));
  const urls = await opening;
  // The pool was closed during the start: `endWhen` ends the process.
  if (urls === undefined) return;
  for (const [id, address] of Object.entries(urls)) log.info('server.listening', { id, address });
  printLine(startupMessage(config, metrics === undefined ? urls : { ...urls, metrics: metrics.url }));
};
