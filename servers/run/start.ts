import cluster from 'node:cluster';
import { setTimeout as wait } from 'node:timers/promises';
import { type Config, readConfig } from '../../adapters/config.ts';
import { exitCodes } from '../../adapters/exit-codes.ts';
import { openServices, type ServiceName } from '../services.ts';
import { endWhen, endWith, failureOf, say } from './failure.ts';
import { loadAhead } from './load-ahead.ts';
import { lead } from './primary.ts';
import { work } from './run-services.ts';
import { welcome } from './startup-message.ts';

/** Milliseconds for what is being opened when the end is asked for, such as a store that does not answer. */
const OPENED_WITHIN = 10_000;

const serveHere = async (
  config: Config,
  names: readonly ServiceName[],
  asked: AbortSignal,
): Promise<void> => {
  const opening = openServices(config, names);
  endWhen(asked, async () => {
    // Why it could not start matters to nobody any more.
    const services = await Promise.race([opening.catch(() => undefined), wait(OPENED_WITHIN, undefined)]);
    await services?.close();
    return exitCodes.done;
  });
  const services = await opening;
  if (asked.aborted) return;
  say(welcome(config, services.urls));
  await loadAhead();
};

/**
 * Starts services by the settings of the environment, in this process or in `WORKERS` of them, and ends them when
 * `asked` is aborted, wherever the start is by then. What is wrong is said in a line each.
 */
export const startServices = async (names: readonly ServiceName[], asked: AbortSignal): Promise<void> => {
  if (cluster.isWorker) return work(names);
  try {
    const config = readConfig();
    for (const warning of config.warnings) say(`Warning: ${warning}`);
    await (config.workers === 1 ? serveHere(config, names, asked) : lead(config, asked));
  } catch (error) {
    if (!asked.aborted) endWith(failureOf(error));
  }
};
