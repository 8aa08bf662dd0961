import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import { makeLog, openAggregate } from '../../adapters/compose.ts';
import type { Config } from '../../adapters/config.ts';
import { exitCodes } from '../../adapters/exit-codes.ts';
import type { Served } from '../http/listen/serve.ts';
import { serveMetrics } from '../http/metrics.ts';
import { endWhen, endWith, say } from './failure.ts';
import { welcome } from './startup-message.ts';
import { followWorker, WorkerGone } from './worker.ts';
import { makeCrew } from './worker-pool.ts';

/** How many hashing processes each of so many workers has: together as many as are set, but each one at the least. */
export const sharesOf = (total: number, workers: number): readonly number[] =>
  Array.from({ length: workers }, (_, place) =>
    Math.max(1, Math.floor((total + workers - 1 - place) / workers)),
  );

/** What Node.js gives each process, whatever the machine. */
const HELPERS = 4;

/**
 * How many threads V8 may take beside the main one in each of so many workers. Where these have the cores already,
 * more threads do no more work: collecting garbage, the main one waits for each to be given a core.
 */
export const helpersOf = (cores: number, workers: number): number =>
  Math.max(1, Math.min(HELPERS, Math.floor(cores / workers)));

/** From a terminal SIGHUP says that it was closed, and means the end. */
const renewalSignals = (): readonly NodeJS.Signals[] =>
  process.stderr.isTTY ? ['SIGUSR2'] : ['SIGHUP', 'SIGUSR2'];

/**
 * Leads `WORKERS` processes that serve on the same ports: starts them, starts those again that die, renews them one
 * after the other at SIGHUP or SIGUSR2, has them drain when `asked` is aborted, and writes what they log. Ends the process
 * when none can be started.
 */
export const lead = async (config: Config, asked: AbortSignal): Promise<void> => {
  // All that they write comes here: each on a pipe of its own, since lines of several on one would mix.
  cluster.setupPrimary({
    execArgv: [`--v8-pool-size=${helpersOf(availableParallelism(), config.workers)}`, ...process.execArgv],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const log = makeLog(config.logLevel);
  const shares = sharesOf(config.hashWorkers, config.workers);
  // Whatever a new worker reads, it serves where the others do.
  const places = {
    HOST: config.host,
    ACCOUNTS_PORT: config.accountsPort,
    METADATA_PORT: config.metadataPort,
  };
  const crew = makeCrew({
    count: config.workers,
    log,
    begin: (place) => followWorker(cluster.fork({ ...places, HASH_WORKERS: shares[place] }), log.pass),
  });

  let metrics: Served | undefined;
  endWhen(asked, async () => {
    const endedWell = await crew.close();
    await metrics?.close();
    await log.flush();
    return endedWell ? exitCodes.done : exitCodes.failed;
  });
  // What all workers measured, put together: whichever of them took a request.
  if (config.metrics !== null)
    metrics = await serveMetrics({ ...config.metrics, scrape: openAggregate(), log });
  const opened = crew.open().catch(async (error: unknown) => {
    if (!(error instanceof WorkerGone)) throw error;
    await log.flush();
    const { code, failure } = error.gone;
    return endWith(failure ?? { code, lines: [error.message] });
  });
  // In the middle of the start it is done afterwards: files may have changed since the first worker read them.
  for (const signal of renewalSignals()) process.on(signal, () => void opened.then(() => crew.renew()));
  const urls = await opened;
  if (urls === undefined) return;
  for (const [id, address] of Object.entries(urls)) log.info('server.listening', { id, address });
  say(welcome(config, metrics === undefined ? urls : { ...urls, metrics: metrics.url }));
};
