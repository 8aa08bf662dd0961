import cluster from 'node:cluster';
import { type Config, readConfig } from '../adapters/config.ts';
import { endOnSignals, endWith, failureOf, say } from './failure.ts';
import { lead } from './lead.ts';
import { openServices, type ServiceName } from './services.ts';
import { welcome } from './welcome.ts';
import { work } from './work.ts';

const serveHere = async (config: Config, names: readonly ServiceName[]): Promise<void> => {
  const services = await openServices(config, names);
  endOnSignals(async () => {
    await services.close();
    return 0;
  });
  say(welcome(config, services.urls));
};

/**
 * Starts services by the settings of the environment, in this process or in `WORKERS` of them. What is wrong is said
 * in a line each.
 */
export const startServices = async (names: readonly ServiceName[]): Promise<void> => {
  if (cluster.isWorker) return work(names);
  try {
    const config = readConfig();
    for (const warning of config.warnings) say(`Warning: ${warning}`);
    await (config.workers === 1 ? serveHere(config, names) : lead(config));
  } catch (error) {
    endWith(failureOf(error));
  }
};
