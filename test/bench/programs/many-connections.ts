/** A program: the account service with a higher limit of connections. Answers with its port. */
import { compose } from '../../../adapters/compose.ts';
import { readConfig } from '../../../adapters/config.ts';
import { makeServiceApp } from '../../../servers/apps.ts';
import { serve } from '../../../servers/http/listen/serve.ts';
import { unawaited } from '../../support/unawaited.ts';
import type { ManyJob } from '../rows/connections.ts';
import { SETTINGS } from '../server.ts';

process.once(
  'message',
  unawaited(async ({ folder, connections }: ManyJob) => {
    // Settings as behind a proxy, which keeps its connections for a minute.
    const settings = { ...SETTINGS, TRUSTED_PROXIES: '127.0.0.0/8', LOG_LEVEL: 'silent', DATA_DIR: folder };
    const config = readConfig(settings, folder);
    const composition = await compose(config);
    const closing = new AbortController();
    const state = { closing: closing.signal, consoleOrigin: () => null };
    const { port } = await serve({
      app: makeServiceApp('accounts', config, composition, state),
      host: '127.0.0.1',
      port: 0,
      portSetting: 'ACCOUNTS_PORT',
      name: 'accounts',
      style: 'account',
      trustedProxies: config.trustedProxies,
      maxOpenHeads: config.maxOpenHeads,
      maxConnections: connections,
      closing,
      log: composition.log,
      announces: false,
    });
    process.send?.({ port });
  }),
);
