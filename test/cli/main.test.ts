import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import Libsql from 'libsql';
import { createGatehouse } from '../../adapters/compose.ts';
import { operatorName, readConfig } from '../../adapters/config.ts';
import type { run as runMain } from '../../cli/main.ts';
import { makeRecordingLog } from '../support/recording-log.ts';
import { easySettings } from '../support/service.ts';
import { useTempFolder } from '../support/temp-folder.ts';
import { documentsOf, type Output } from './run-command.ts';
import { collect } from './run-line.ts';

describe('A command on an installation', () => {
  const folder = useTempFolder('suite');
  const { argv, env } = process;
  const workingDir = process.cwd();
  let runProgram: typeof runMain;

  const run = async (line: string, more: NodeJS.ProcessEnv = {}): Promise<Output> => {
    process.env = { PATH: env.PATH, ...easySettings, SMTP_URL: '', ...more };
    try {
      return await collect(() => runProgram(line.split(' ')));
    } finally {
      process.env = env;
    }
  };

  before(async () => {
    process.chdir(folder());
    const product = await createGatehouse(readConfig(easySettings, folder()), { log: makeRecordingLog() });
    await product.accounts.operate.createUser(
      { email: 'ada@example.com', verified: true },
      { actor: 'test' },
    );
    await product.close();
    // The module runs the arguments of the process when it is loaded.
    process.argv = [process.execPath, 'main', '--version'];
    await collect(async () => {
      runProgram = (await import('../../cli/main.ts')).run;
    });
  });
  after(() => {
    process.argv = argv;
    process.chdir(workingDir);
  });

  it('prints why it fails, as text or JSON, and exits with the code of that kind of failure', async () => {
    writeFileSync('there', '');
    mkdirSync('full');
    symlinkSync('/dev/full', join('full', 'index.html'));
    cpSync('data', 'older', { recursive: true });
    const store = new Libsql(join('older', 'gatehouse.db'));
    store.exec('PRAGMA user_version = 1');
    store.close();
    const failures = [
      ['nothing', {}, 2, 'wrong_usage', /unknown command 'nothing'/],
      ['users list', { ACCOUNTS_PORT: 'many' }, 78, 'wrong_settings', /ACCOUNTS_PORT/],
      ['users list', { DATA_DIR: 'nowhere' }, 78, 'no_store', /There is no store in DATA_DIR/],
      ['users list', { DATA_DIR: 'older' }, 75, 'store_unusable', /run gatehouse store migrate/],
      ['users show bob@example.com', {}, 1, 'user_not_found', /no such user/],
      ['users list --tier gold', {}, 2, 'unknown_tier', /tier/],
      ['keys init there --kind hash', {}, 1, 'failed', /there exists already/],
      ['keys retire nothing', {}, 1, 'unknown_key', /no such key/],
      ['users import away.jsonl', {}, 1, 'failed', /away\.jsonl: This file or its folder does not exist\./],
      ['users import .', {}, 1, 'failed', /This is a folder, and a file/],
      ['store backup away/all.tar', {}, 1, 'failed', /away.*: This file or its folder does not exist\./],
      ['mail preview there', {}, 1, 'failed', /there: This is a file, and a folder/],
      ['mail preview full', {}, 1, 'failed', /^The disk is full\.$/m],
    ] as const;
    for (const [line, settings, code, word, message] of failures) {
      const plain = await run(line, settings);
      expect([plain.status, plain.stdout], line).to.deep.equal([code, '']);
      expect(plain.stderr, line).to.match(message);
      const { status, stdout, stderr } = await run(`${line} --json`, settings);
      expect([status, stdout], line).to.deep.equal([code, '']);
      const { error } = JSON.parse(stderr);
      expect(error.code, line).to.equal(word);
      expect(error.message, line)
        .to.match(message)
        .and.not.match(/^error:/);
    }
    for (const line of ['--version', '--version --json', 'users --help'])
      expect(await run(line), line).to.include({ status: 0, stderr: '' });
  });

  it('writes an audit row with the name of the operator and the reason', async () => {
    expect((await run('users ban ada@example.com --reason spam')).stderr).to.equal(
      'ada@example.com is banned.\n',
    );
    await run('users unban ada@example.com --as Zoë --reason sorry');
    const rows = documentsOf(await run('audit list --actor operator:cli --json'));
    expect(rows.map(({ action, person, reason }) => [action, person, reason])).to.deep.equal([
      ['user.banned', operatorName(), 'spam'],
      ['user.unbanned', 'Zoë', 'sorry'],
    ]);
  });

  it('sends its mails before it ends, or leaves them in the outbox if the mail server is unreachable', async () => {
    const listRecipients = async () => documentsOf(await run('mail list --json')).map(({ to }) => to);
    expect((await run('users create bob@example.com')).stderr).to.match(/^Created .* is mailed\.\n$/);
    expect(await listRecipients()).to.deep.equal([]);
    const unreachable = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'no-reply@example.com' };
    const { status, stderr } = await run('users create eve@example.com', unreachable);
    expect([status, stderr]).to.deep.equal([0, stderr]);
    expect(await listRecipients()).to.deep.equal(['eve@example.com']);
  });

  it('prints errors that the product logs, with their details', async () => {
    const { status, stderr } = await run('users list --json', {
      HASH_KEY: 'Zk3-vR8_pQ2xT7mN5bW9cY4dF6gH1jL0',
    });
    expect([status, stderr]).to.deep.equal([
      0,
      'Error: hash_key.unknown (the store was last used with a hash key that is not set here)\n',
    ]);
  });

  it('prints the settings, and refuses an unknown file in the branding folder', async () => {
    const [settings] = documentsOf(await run('config check --json', { ACCOUNTS_PORT: '4000' }));
    expect(settings).to.include({ ACCOUNTS_PORT: 4_000 });
    mkdirSync('brand');
    writeFileSync(join('brand', 'notes.txt'), '');
    const { status, stderr } = await run('config check', { BRAND_DIR: 'brand' });
    expect(status).to.equal(78);
    expect(stderr).to.include('BRAND_DIR: notes.txt');
  });

  it('previews mails with sample data, and sends a test mail', async () => {
    expect((await run('mail preview mails --template verify --language pl')).status).to.equal(0);
    expect(readdirSync('mails').filter((file) => file.startsWith('verify.'))).to.not.deep.equal([]);
    expect(await run('mail test zoe@example.com')).to.deep.equal({
      ...{ status: 0, stdout: '', stderr: 'Sent to zoe@example.com.\n' },
    });
  });
});
