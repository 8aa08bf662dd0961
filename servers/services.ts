import { createGatehouse, type Gatehouse, type Overrides } from '../adapters/compose.ts';
import { CONFIG, type Config } from '../adapters/config.ts';
import { requireArguments } from '../core/check-arguments.ts';
import { list, OBJECT, oneOf } from '../core/schema.ts';
import { makeServiceApp, type ServiceName } from './apps.ts';
import { REPLACED } from './http/health.ts';
import { type RunningServer, type ServeParts, serve } from './http/listen/serve.ts';
import type { ServeTimes } from './http/listen/time-outs.ts';
import { serveMetrics } from './http/metrics-listener.ts';

export type { ServiceName } from './apps.ts';

export interface Services {
  readonly composition: Gatehouse;
  /** The address of each service, by name. */
  readonly urls: Readonly<Partial<Record<ServiceName | 'metrics', string>>>;
  /**
   * Drains and closes everything. Further calls wait for the same shutdown. `isReplaced`: other processes serve at the same
   * addresses, so readiness does not turn to 503.
   */
  close(how?: { readonly isReplaced?: boolean }): Promise<void>;
}

/** The services to open: the console is added to the account service where it has a port. */
export const withConsole = (names: readonly ServiceName[], { console }: Config): readonly ServiceName[] =>
  names.includes('accounts') && console.port !== null ? [...names, 'console'] : names;

/**
 * Opens the composition and serves the named services over HTTP. Throws what `createGatehouse` throws, and `CannotListen`,
 * after closing everything again. With `announces: false` it neither logs its addresses nor serves metrics: the
 * primary process of a cluster does.
 */
export const openServices = async (
  config: Config,
  names: readonly ServiceName[],
  overrides: Overrides = {},
  times: Partial<ServeTimes> = {},
  { announces = true }: { readonly announces?: boolean } = {},
): Promise<Services> => {
  requireArguments([config, names, overrides, times], {
    config: CONFIG,
    names: list(oneOf(['accounts', 'metadata', 'console'])),
    overrides: OBJECT,
    times: OBJECT,
  });
  const composition = await createGatehouse(config, { observed: true, ...overrides });
  const closing = new AbortController();
  const served = new Map<ServiceName | 'metrics', RunningServer>();

  const serverState = {
    closing: closing.signal,
    consoleOrigin: () =>
      names.includes('console') ? (config.console.url ?? served.get('console')?.url ?? null) : null,
  };
  const addresses: Readonly<
    Record<ServiceName, Pick<ServeParts, 'host' | 'hostSetting' | 'port' | 'portSetting'>>
  > = {
    accounts: { host: config.host, port: config.accountsPort, portSetting: 'ACCOUNTS_PORT' },
    metadata: { host: config.host, port: config.metadataPort, portSetting: 'METADATA_PORT' },
    console: {
      host: config.console.host,
      hostSetting: 'CONSOLE_HOST',
      // Null where the settings open no console: if `names` has it anyway, it gets a free port.
      port: config.console.port ?? 0,
      portSetting: 'CONSOLE_PORT',
    },
  };

  const serveService = async (name: ServiceName): Promise<void> => {
    const app = makeServiceApp(name, config, composition, serverState);
    const server = await serve({
      app,
      ...addresses[name],
      name,
      style: name === 'metadata' ? 'metadata' : 'account',
      trustedProxies: config.trustedProxies,
      maxOpenHeads: config.maxOpenHeads,
      closing,
      log: composition.log,
      announces,
      times,
    });
    served.set(name, server);
    // Without `PUBLIC_URL` the origin of the account service is the address at which it listens.
    if (name === 'accounts' && config.publicUrl === null) await composition.listensAt(server.url);
  };

  let closed: Promise<void> | undefined;
  const closeAll = async (isReplaced: boolean) => {
    closing.abort(isReplaced ? REPLACED : undefined);
    await Promise.all([...served.values()].map((server) => server.close()));
    await composition.close();
  };
  const close = ({ isReplaced = false } = {}) => {
    closed ??= closeAll(isReplaced);
    return closed;
  };

  try {
    const { scrape, log } = composition;
    if (config.metrics !== null && scrape !== undefined && announces) {
      served.set('metrics', await serveMetrics({ ...config.metrics, scrape, log, times }));
    }
    for (const name of names) await serveService(name);
  } catch (error) {
    await close();
    throw error;
  }
  composition.start({ accounts: names.includes('accounts') });
  return { composition, close, urls: Object.fromEntries([...served].map(([name, { url }]) => [name, url])) };
};
