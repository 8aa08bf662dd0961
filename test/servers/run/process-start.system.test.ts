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

  /** Starts what cannot start and gives its exit code and what it said. */
  const refusal = async (settings: Settings, entry: 'all' | 'accounts' | 'metadata' = 'all') => {
    const server = launch(entry, folder(), settings);
    const { code } = await server.ended;
    expect(server.stdout().includes('server.listening'), 'listened').to.equal(false);
    return { code, lines: linesOf(server.stderr()) };
  };

  it('exits with 78 and names each wrong setting in a line of its own, never its value', async () => {
    const wrong = {
      ACCOUNTS_PORT: 'seventy',
      SCRYPT: 'muchly',
      INTERNAL_SECRET: 'too-short',
      HOST: 'no host',
    };
    const { code, lines } = await refusal(wrong);
    expect(code).to.equal(78);
    expect(lines.map((line) => line.split(' ')[0])).to.deep.equal([
      'HOST',
      'ACCOUNTS_PORT',
      'INTERNAL_SECRET',
      'SCRYPT',
    ]);
    for (const value of Object.values(wrong)) expect(lines.join('\n')).not.to.include(value);
  });

  it('exits with 75 and one line when no server answers at MONGODB_URL, never with its value', async () => {
    const { code, lines } = await refusal({ MONGODB_URL: 'mongodb://u:hidden-word@127.0.0.1:9/x' });
    expect(code).to.equal(75);
    const complaints = lines.filter((line) => !isWarning(line));
    expect(complaints).to.have.length(1);
    expect(complaints[0]).to.include('MONGODB_URL: no server answers there');
    expect(lines.join('\n')).not.to.include('hidden-word');
  });

  it('exits with 78 and one line when SIGNING_KEYS_FILE holds half a key', async () => {
    const file = join(folder(), 'signing.json');
    writeFileSync(file, '{"keys":[{"kty":"EC","crv":"P-256","kid":"one"}]}');
    const { code, lines } = await refusal({ SIGNING_KEYS_FILE: file });
    expect(code).to.equal(78);
    expect(lines.filter((line) => !isWarning(line))).to.have.length(1);
    expect(lines.at(-1)).to.match(/^SIGNING_KEYS_FILE: /);
  });

  for (const [setting, entry] of [
    ['ACCOUNTS_PORT', 'all'],
    ['METADATA_PORT', 'metadata'],
    ['METRICS_PORT', 'all'],
  ] as const) {
    it(`exits with 78 and names ${setting} when the port is in use`, async () => {
      const other = createServer().listen(0, '127.0.0.1');
      await new Promise((resolve) => other.once('listening', resolve));
      const address = other.address();
      const port = typeof address === 'object' && address !== null ? `${address.port}` : '';
      const { code, lines } = await refusal({ [setting]: port }, entry);
      other.close();
      expect(code).to.equal(78);
      expect(lines.at(-1)).to.equal(`${setting}: the port is in use`);
    });
  }

  it('exits with 75 and one line for a store that a newer version wrote, and leaves it as it is', async () => {
    const settings = { DATA_DIR: folder() };
    // With its keys, without which the start would stop at those.
    const first = await start('accounts', folder(), settings);
    first.signal('SIGTERM');
    await first.ended;
    const file = join(folder(), 'gatehouse.db');
    const later = new Libsql(file);
    later.exec('CREATE TABLE later (x); PRAGMA user_version = 999');
    const schema = () => later.prepare('SELECT sql FROM sqlite_master ORDER BY name').all();
    const before = schema();
    const { code, lines } = await refusal(settings);
    expect(code).to.equal(75);
    expect(lines.filter((line) => !isWarning(line))).to.have.length(1);
    expect(lines.at(-1)).to.include('newer version');
    expect(later.prepare('PRAGMA user_version').get()).to.include({ user_version: 999 });
    expect(schema()).to.deep.equal(before);
    later.close();
  });

  it('opens the one service that was asked for', async () => {
    const accounts = await start('accounts', folder());
    expect(accounts.metadataUrl).to.equal('');
    expect((await ask(accounts.url, 'GET', '/health')).body).to.include({ service: 'drop-accounts' });
    const metadata = await start('metadata', folder());
    expect(metadata.url).to.equal('');
    expect((await ask(metadata.metadataUrl, 'GET', '/health')).body).to.include({ service: 'drop-metadata' });
  });

  it('goes well in production with keys that a first start made', async () => {
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
