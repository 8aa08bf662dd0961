import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import Libsql from 'libsql';
import { type Settings, useServerProcesses } from '../../support/servers/server-process.ts';
import { ask } from '../../support/service.ts';
import { useTempFolder } from '../../support/temp-folder.ts';

const linesOf = (text: string) => text.split('\n').filter((line) => line !== '');
const isWarning = (line: string) => line.startsWith('Warning: ');

describe('The start of a server process', () => {
  const { launch, start } = useServerProcesses();
  const folder = useTempFolder();

  /** Returns the exit code and error lines of a failed start. */
  const failStart = async (settings: Settings, entry: 'all' | 'accounts' | 'metadata' = 'all') => {
    const server = launch(entry, folder(), settings);
    const { code } = await server.ended;
    expect(server.stdout().includes('server.listening'), 'listened').to.equal(false);
    return { code, lines: linesOf(server.stderr()) };
  };

  it('exits with 78 and a line for each invalid setting without its value', async () => {
    const wrong = {
      ACCOUNTS_PORT: 'seventy',
      SCRYPT: 'muchly',
      INTERNAL_SECRET: 'too-short',
      HOST: 'no host',
    };
    const { code, lines } = await failStart(wrong);
    expect(code).to.equal(78);
    expect(lines.map((line) => line.split(' ')[0])).to.deep.equal([
      'HOST',
      'ACCOUNTS_PORT',
      'INTERNAL_SECRET',
      'SCRYPT',
    ]);
    for (const value of Object.values(wrong)) expect(lines.join('\n')).not.to.include(value);
  });

  it('exits with 75 and one line without the value if no server answers at MONGODB_URL', async () => {
    const { code, lines } = await failStart({ MONGODB_URL: 'mongodb://u:hidden-word@127.0.0.1:9/x' });
    expect(code).to.equal(75);
    const errors = lines.filter((line) => !isWarning(line));
    expect(errors).to.have.length(1);
    expect(errors[0]).to.include('MONGODB_URL: no server answers there');
    expect(lines.join('\n')).not.to.include('hidden-word');
  });

  it('exits with 78 and one line if SIGNING_KEYS_FILE contains an incomplete key', async () => {
    const file = join(folder(), 'signing.json');
    writeFileSync(file, '{"keys":[{"kty":"EC","crv":"P-256","kid":"one"}]}');
    const { code, lines } = await failStart({ SIGNING_KEYS_FILE: file });
    expect(code).to.equal(78);
    expect(lines.filter((line) => !isWarning(line))).to.have.length(1);
    expect(lines.at(-1)).to.match(/^SIGNING_KEYS_FILE: /);
  });

  for (const [setting, entry] of [
    ['ACCOUNTS_PORT', 'all'],
    ['METADATA_PORT', 'metadata'],
    ['METRICS_PORT', 'all'],
  ] as const) {
    it(`exits with 78 and names ${setting} if the port is in use`, async () => {
      const other = createServer().listen(0, '127.0.0.1');
      await new Promise((resolve) => other.once('listening', resolve));
      const address = other.address();
      const port = typeof address === 'object' && address !== null ? `${address.port}` : '';
      const { code, lines } = await failStart({ [setting]: port }, entry);
      other.close();
      expect(code).to.equal(78);
      expect(lines.at(-1)).to.equal(`${setting}: the port is in use`);
    });
  }

  it('exits with 75 and one line for the store of a newer version, and does not change the store', async () => {
    const settings = { DATA_DIR: folder() };
    // Creates the keys, without which the start fails earlier.
    const first = await start('accounts', folder(), settings);
    first.signal('SIGTERM');
    await first.ended;
    const file = join(folder(), 'gatehouse.db');
    const database = new Libsql(file);
    database.exec('CREATE TABLE later (x); PRAGMA user_version = 999');
    const schema = () => database.prepare('SELECT sql FROM sqlite_master ORDER BY name').all();
    const before = schema();
    const { code, lines } = await failStart(settings);
    expect(code).to.equal(75);
    expect(lines.filter((line) => !isWarning(line))).to.have.length(1);
    expect(lines.at(-1)).to.include('newer version');
    expect(database.prepare('PRAGMA user_version').get()).to.include({ user_version: 999 });
    expect(schema()).to.deep.equal(before);
    database.close();
  });

  it('opens only the chosen service', async () => {
    const accounts = await start('accounts', folder());
    expect(accounts.metadataUrl).to.equal('');
    expect((await ask(accounts.url, 'GET', '/health')).body).to.include({ service: 'drop-accounts' });
    const metadata = await start('metadata', folder());
    expect(metadata.url).to.equal('');
    expect((await ask(metadata.metadataUrl, 'GET', '/health')).body).to.include({ service: 'drop-metadata' });
  });

  it('succeeds in production with the keys of an earlier start', async () => {
    await start('accounts', folder());
    const server = await start('accounts', folder(), {
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://accounts.example.com',
      BILLING: 'none',
      SCRYPT: undefined,
      SMTP_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: 'Example <no-reply@example.com>',
      INTERNAL_SECRET_FILE: 'data/internal-secret',
      HASH_KEY_FILE: 'data/keys/hash-key',
      SIGNING_KEYS_FILE: 'data/keys/signing.json',
      MASTER_KEYS_FILE: 'data/keys/master.json',
    });
    const { status, headers } = await ask(server.url, 'GET', '/health');
    expect(status).to.equal(200);
    expect(headers.get('strict-transport-security')).to.match(/^max-age=\d+$/);
  });
});
