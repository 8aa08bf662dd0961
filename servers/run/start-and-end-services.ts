import cluster from 'node:cluster';
import { setTimeout as wait } from 'node:timers/promises';
import { type Config, readConfig } from '../../adapters/config.ts';
import { exitCodes } from '../../adapters/exit-codes.ts';
import { openServices, type ServiceName, withConsole } from '../services.ts';
import { endWhen, endWith, failureOf, printLine } from './end-process.ts';
import { loadAhead } from './load-ahead.ts';
import { runPrimary } from './primary.ts';
import { startupMessage } from './startup-message.ts';
import { runWorker } from './worker-process.ts';

/** How long the end of the process waits for services that are still opening, such as on a slow store. */
const OPENING_TIMEOUT_MS = 10_000;

const serveInThisProcess = async (
  config: Config,
  names: readonly ServiceName[],
  endSignal: AbortSignal,
): Promise<void> => {
  const opening = openServices(config, withConsole(names, config));
  endWhen(endSignal, async () => {
    // A failure to start no longer matters.
    const services = await Promise.race([
      opening.catch(() => undefined),
      wait(OPENING_TIMEOUT_MS, undefined),
    ]);
    await services?.close();
    return exitCodes.done;
  });
  const services = await opening;
  if (endSignal.aborted) return;
  printLine(startupMessage(config, services.urls));
  await loadAhead();
};

/**
 * Starts services by the settings of the environment, in this process or in `WORKERS` processes. Ends them when
 * `endSignal` is aborted, even in the middle of the start; in a worker process the primary ends them. Prints one line for
 * each problem, and ends the process if it cannot start.
 */
export const startServices = async (names: readonly ServiceName[], endSignal: AbortSignal): Promise<void> => {
  if (cluster.isWorker) return runWorker(names);
  try {
    const config = readConfig();
    for (const warning of config.warnings) printLine(`Warning: ${warning}`);
    await (config.workers === 1
      ? serveInThisProcess(config, names, endSignal)
      : runPrimary(config, endSignal));
  } catch (error) {
    if (!endSignal.aborted) endWith(failureOf(error));
  }
};
