import { readConfig } from '../../adapters/config.ts';
import { exitCodes } from '../../adapters/exit-codes.ts';
import { openServices, type ServiceName, type Services, withConsole } from '../services.ts';
import { type Failure, failureOf } from './end-process.ts';
import { loadAhead } from './load-ahead.ts';

/** A message from a worker to the primary. */
export type Report =
  | { readonly ready: Services['urls'] }
  | { readonly failed: Failure }
  | { readonly drained: true };

/**
 * A message from the primary to a worker. `drain`: finish open requests and accept no new ones; `make_way`: likewise, while
 * other workers serve. `end`: exit.
 */
export type Order = 'drain' | 'make_way' | 'end';

const sendReport = (report: Report, then = () => {}): void => {
  process.send?.(report, undefined, undefined, then);
};

const fail = (error: unknown): void => {
  const failed = failureOf(error);
  sendReport({ failed }, () => process.exit(failed.code));
};

const openWorkerServices = async (names: readonly ServiceName[]): Promise<Services> => {
  const config = readConfig();
  // `announces: false`: the primary, not each worker, logs the addresses and serves the metrics.
  return openServices(config, withConsole(names, config), {}, {}, { announces: false });
};

/** Serves as one of several workers that share their ports. `node:cluster` ends a worker when the primary has ended. */
export const runWorker = async (names: readonly ServiceName[]): Promise<void> => {
  const opening = openWorkerServices(names);
  const drain = async (isReplaced: boolean) => {
    await (await opening).close({ isReplaced });
    sendReport({ drained: true });
  };
  process.on('message', (order: Order) => {
    if (order === 'end') process.exit(exitCodes.done);
    // Not every other message is an order: the primary also asks for metrics.
    if (order === 'drain' || order === 'make_way') drain(order === 'make_way').catch(fail);
  });
  try {
    sendReport({ ready: (await opening).urls });
    await loadAhead();
  } catch (error) {
    fail(error);
  }
};
