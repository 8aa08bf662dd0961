import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { compose } from '../../../adapters/compose.ts';
import { readConfig } from '../../../adapters/config.ts';
import { createHandlers, type Handlers } from '../../../servers/index.ts';
import { compositionSettings } from '../../support/composition.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { ask, easySettings } from '../../support/service.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { outcome } from './console-client.ts';

const CONSOLE = 'https://ops.example.com';
const ACCOUNTS = 'https://accounts.example.com';

describe('The console handler in an embedding app', () => {
  const folder = useTempFolder();
  const servers: Server[] = [];
  let handlers: Handlers;

  beforeEach(async () => {
    const { SCRYPT: _, ...easy } = easySettings;
    const settings = { ...easy, ...compositionSettings(folder()), DATA_DIR: folder() };
    // A start outside production creates the keys.
    await (await compose(readConfig(settings, folder()), { log: makeRecordingLog() })).close();
    const file = (path: string) => join(folder(), path);
    const config = readConfig(
      {
        ...settings,
        NODE_ENV: 'production',
        PUBLIC_URL: ACCOUNTS,
        CONSOLE_URL: CONSOLE,
        BILLING: 'none',
        SELF_ENTITLEMENT: 'ignore',
        SMTP_URL: 'smtp://127.0.0.1:9',
        MAIL_FROM: 'no-reply@example.com',
        INTERNAL_SECRET_FILE: file('internal-secret'),
        HASH_KEY_FILE: file('keys/hash-key'),
        SIGNING_KEYS_FILE: file('keys/signing.json'),
        MASTER_KEYS_FILE: file('keys/master.json'),
      },
      folder(),
    );
    handlers = createHandlers(await compose(config, { log: makeRecordingLog() }), config);
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.close();
      server.closeAllConnections();
    }
    await handlers.close();
  });

  const listen = async (handler: Parameters<typeof createServer>[1]): Promise<string> => {
    const server = createServer(handler).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    const address = server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  };
  const signIn = async (Origin: string) => {
    const url = await listen((req, res) => handlers.console(req, res));
    const body = { email: 'nobody@example.com', password: 'correct horse battery' };
    return outcome(await ask(url, 'POST', '/api/admin/sign-in', { body, headers: { Origin } }));
  };

  it('accepts requests of CONSOLE_URL, and refuses those of PUBLIC_URL as cross-site', async () => {
    expect(await signIn(CONSOLE)).to.deep.equal([401, 'wrong_credentials']);
    expect(await signIn(ACCOUNTS)).to.deep.equal([403, 'cross_site']);
  });

  it('serves its pages at their short paths, and passes other paths on to the app', async () => {
    const url = await listen((req, res) => handlers.console(req, res, () => res.end('the app’s')));
    const get = async (path: string) => (await ask(url, 'GET', path)).body;
    for (const path of ['/', '/sign-in', '/users'])
      expect(await get(path), path).to.include('/console/files/');
    expect(await get('/mine')).to.equal('the app’s');
    expect(outcome(await ask(url, 'GET', '/api/admin/directory'))).to.deep.equal([401, 'invalid_token']);
  });

  it('answers 503 after the handlers are closed', async () => {
    const url = await listen((req, res) => handlers.console(req, res));
    expect((await ask(url, 'GET', '/health')).status).to.equal(200);
    await handlers.close();
    expect((await fetch(`${url}/health`)).status).to.equal(503);
  });
});
