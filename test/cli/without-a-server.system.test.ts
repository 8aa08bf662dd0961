import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import Libsql from 'libsql';
import { openTestService } from '../support/service.ts';
import { useTempFolder } from '../support/temp-folder.ts';
import { documentsOf, runCommand } from './run-command.ts';

describe('The gatehouse command without a server', () => {
  const folder = useTempFolder();
  const dataDir = () => join(folder(), 'data');
  const run = (args: readonly string[], dir = dataDir()) =>
    runCommand(folder(), args, { env: { DATA_DIR: dir } });
  /** Creates a store with one user. */
  const createStore = async () => {
    mkdirSync(dataDir());
    const service = await openTestService({}, dataDir());
    const user = await service.signUp();
    await service.close();
    return user;
  };

  it('exits with 78, names the data folder and creates nothing if there is no store', async () => {
    for (const args of [
      ['stats'],
      ['users', 'ban', 'a@example.com', '--reason', 'x'],
      ['store', 'migrate'],
    ]) {
      const { status, stdout, stderr } = await run(args);
      expect(status).to.equal(78);
      expect(stdout).to.equal('');
      expect(stderr).to.include(dataDir());
    }
    expect(existsSync(dataDir())).to.equal(false);
  });

  it('sends the mails of its own changes before it ends', async () => {
    const user = await createStore();
    expect((await run(['users', 'delete', user.id, '--yes', '--json'])).status).to.equal(0);
    const mails = readdirSync(join(dataDir(), 'mail')).filter((name) => name.endsWith('.eml'));
    expect(mails).to.have.length(1);
    expect((await run(['mail', 'list', '--json'])).stdout).to.equal('');
    expect(documentsOf(await run(['mail', 'retry', '--json']))).to.deep.equal([{ count: 0 }]);
  });

  it('counts, shows and exports users as JSON', async () => {
    const user = await createStore();
    const [stats] = documentsOf(await run(['stats', '--json']));
    expect(stats).to.deep.equal({
      totalUsers: 1,
      premiumUsers: 0,
      freeUsers: 1,
      byTier: { free: 1 },
      verified: 1,
      twoFactor: 0,
      banned: 0,
      disabled: 0,
      files: 0,
      bytes: 0,
    });
    const [details] = documentsOf(await run(['users', 'show', user.email, '--json']));
    expect(details).to.include({ id: user.id, email: user.email, sessions: 1 });
    const userExport = await run(['users', 'export', user.email]);
    expect(JSON.parse(userExport.stdout).user).to.include({ id: user.id });
    const unknown = await run(['users', 'show', 'nobody@example.com']);
    expect(unknown).to.deep.include({ status: 1, stdout: '', stderr: 'There is no such user.\n' });
    expect((await run(['users', 'list', '--tier', 'gold'])).status).to.equal(2);
    expect((await run(['audit', 'list', '--since', 'yesterday'])).status).to.equal(2);
  });

  it('exits with 75 and names store migrate for an older schema, but backs the store up unchanged', async () => {
    await createStore();
    const store = new Libsql(join(dataDir(), 'gatehouse.db'), { timeout: 30_000 });
    store.exec('PRAGMA user_version = 1');
    for (const args of [['stats'], ['users', 'list'], ['users', 'ban', 'a@example.com', '--reason', 'x']]) {
      const { status, stdout, stderr } = await run(args);
      expect({ status, stdout }).to.deep.equal({ status: 75, stdout: '' });
      expect(stderr).to.match(
        /^The store cannot be used: it is of an older version .*: run gatehouse store migrate\.\n$/,
      );
    }
    const backup = await run(['store', 'backup', join(folder(), 'backup.tar')]);
    expect(backup.status, backup.stderr).to.equal(0);
    expect(backup.stderr).to.include('Not recorded in the audit log: the store has an older schema.');
    expect(store.prepare('PRAGMA user_version').get()).to.include({ user_version: 1 });
    store.close();
  });

  it('backs a store up, restores it only into an empty folder, and then needs the keys', async () => {
    const user = await createStore();
    const file = join(folder(), 'backup.tar');
    const env = { DATA_DIR: dataDir(), METADATA_SECRET: 'mN4-bV7_cX1zL9kJ2hG5fD8sA3pO6iU0' };
    const backup = await runCommand(folder(), ['store', 'backup', file], { env });
    expect(backup.status, backup.stderr).to.equal(0);
    expect(backup.stderr).to.include(`Not in the backup, keep it safe elsewhere: ${join(dataDir(), 'keys')}`);
    expect(backup.stderr).to.include(
      'Not in the backup, keep it safe elsewhere: the value of METADATA_SECRET\n',
    );
    expect(backup.stderr).not.to.include(env.METADATA_SECRET);
    expect((await run(['store', 'backup', file])).status).to.equal(1);
    expect((await run(['store', 'restore', file])).status).to.equal(1);
    const newDir = join(folder(), 'there');
    const restored = await run(['store', 'restore', file], newDir);
    expect(restored.status, restored.stderr).to.equal(0);
    expect(restored.stderr).to.include(join(newDir, 'keys'));
    for (const args of [
      ['stats'],
      ['keys', 'status'],
      ['users', 'ban', user.email, '--reason', 'x'],
      ['store', 'backup', 'again.tar'],
    ]) {
      const { status, stdout, stderr } = await run(args, newDir);
      expect({ status, stdout }).to.deep.equal({ status: 78, stdout: '' });
      for (const setting of ['HASH_KEY', 'SIGNING_KEYS_FILE', 'MASTER_KEYS_FILE'])
        expect(stderr).to.include(`${setting}: ${join(newDir, 'keys')}`);
    }
    expect(existsSync(join(newDir, 'keys'))).to.equal(false);
    cpSync(join(dataDir(), 'keys'), join(newDir, 'keys'), { recursive: true });
    expect(documentsOf(await run(['audit', 'verify', '--json'], newDir))[0]).to.include({ intact: true });
    const [details] = documentsOf(await run(['users', 'show', user.email, '--json'], newDir));
    expect(details).to.include({ id: user.id });
    rmSync(newDir, { recursive: true });
  });
});
