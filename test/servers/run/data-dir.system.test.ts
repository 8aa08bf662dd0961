import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { useServerProcesses } from '../../support/servers/server-process.ts';
import { ask, easySettings } from '../../support/service.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { root } from '../../support/tree/root.ts';
import { until } from '../../support/until.ts';

const ada = { email: 'ada@example.com', password: 'correct horse battery' };

/** Starts a server that cannot start, after a command of the shell, and gives its exit code and what it said. */
const refusal = (folder: string, DATA_DIR: string, before = 'true') => {
  const { status, stderr } = spawnSync(
    'sh',
    ['-c', `${before}; exec "$0" "$1"`, process.execPath, join(root, 'dist/servers/all.js')],
    {
      cwd: folder,
      env: { PATH: process.env.PATH, ...easySettings, DATA_DIR },
      encoding: 'utf8',
      timeout: 20_000,
      killSignal: 'SIGKILL',
    },
  );
  return { code: status, lines: stderr.split('\n').filter((line) => !/^(Warning: .*)?$/.test(line)) };
};

describe('A start whose DATA_DIR cannot be used', () => {
  const folder = useTempFolder();
  const refused = { code: 78, lines: ['DATA_DIR: must be a folder that can be written'] };

  it('exits with 78 and one line, which does not tell the value, where it is a file or below one', () => {
    writeFileSync(join(folder(), 'file'), 'mine');
    expect(refusal(folder(), 'file')).to.deep.equal(refused);
    expect(refusal(folder(), 'file/below/it')).to.deep.equal(refused);
  });

  it('exits likewise where it is a link that leads nowhere', () => {
    symlinkSync('nowhere', join(folder(), 'link'));
    expect(refusal(folder(), 'link')).to.deep.equal(refused);
  });

  it('exits likewise, rather than trying for ever, where no folder can be made', function () {
    if (!existsSync('/proc/self')) this.skip();
    expect(refusal(folder(), '/proc/gatehouse/data')).to.deep.equal(refused);
  });

  it('exits likewise where it may not be written', function () {
    if (process.getuid?.() === 0) this.skip();
    mkdirSync(join(folder(), 'shut'), { mode: 0o500 });
    expect(refusal(folder(), 'shut')).to.deep.equal(refused);
  });

  it('exits with 78 and one line when the disk is full before the first keys are made', () => {
    expect(refusal(folder(), 'data', 'ulimit -f 0')).to.deep.equal({
      code: 78,
      lines: ['DATA_DIR: the disk it is on is full'],
    });
    expect(existsSync(join(folder(), 'data', 'gatehouse.db'))).to.equal(false);
  });

  it('exits with 78 and a line for each key file that its store has lost', () => {
    mkdirSync(join(folder(), 'data'));
    writeFileSync(join(folder(), 'data', 'gatehouse.db'), '');
    const { code, lines } = refusal(folder(), 'data');
    expect(code).to.equal(78);
    expect(lines.map((line) => line.split(':')[0])).to.deep.equal([
      'HASH_KEY',
      'SIGNING_KEYS_FILE',
      'MASTER_KEYS_FILE',
    ]);
    expect(readdirSync(join(folder(), 'data'))).to.deep.equal(['gatehouse.db']);
  });
});

describe('A start on a disk that became full', () => {
  const folder = useTempFolder();
  const { start } = useServerProcesses();

  it('serves what is there', async () => {
    const first = await start('accounts', folder());
    first.signal('SIGKILL');
    await first.ended;
    // In blocks of 512 bytes: the log of writes cannot grow by one.
    const blocks = Math.floor(statSync(join(folder(), 'data/gatehouse.db-wal')).size / 512);
    const again = await start('accounts', folder(), {}, `ulimit -f ${blocks}`);
    await again.logs('store.write_failed');
    expect((await ask(again.url, 'GET', '/.well-known/jwks.json')).status).to.equal(200);
    const began = performance.now();
    const before = again.logged().length;
    for (let count = 0; count < 30; count += 1) {
      expect((await ask(again.url, 'POST', '/api/auth/register', { body: ada })).status).to.equal(503);
    }
    const since = () => again.logged().slice(before);
    await until(() => since().filter(({ event }) => event === 'request').length >= 30);
    const seconds = Math.ceil((performance.now() - began) / 1_000);
    const warnings = since().filter(({ level }) => level >= 40);
    expect(warnings.length, 'a line a second').to.be.at.most(seconds + 2);
  });
});

describe('A start on a DATA_DIR that others may read', () => {
  const { start } = useServerProcesses();
  const folder = useTempFolder();
  const modeOf = (path: string) => statSync(path).mode & 0o1777;
  const dataFolder = (mode: number) => {
    const path = join(folder(), 'data');
    mkdirSync(path);
    chmodSync(path, mode);
    return path;
  };

  it('withdraws their access', async () => {
    const data = dataFolder(0o755);
    const server = await start('accounts', folder());
    expect(modeOf(data)).to.equal(0o700);
    expect(server.logged().map(({ event }) => event)).not.to.include('data_dir.open_to_others');
  });

  it('warns where the folder is shared, and leaves it as it is', async () => {
    const data = dataFolder(0o1777);
    const server = await start('accounts', folder());
    await server.logs('data_dir.open_to_others');
    expect(modeOf(data)).to.equal(0o1777);
  });
});
