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

/** Starts a server after a shell command; returns the exit code and error lines of the failed start. */
const failStart = (folder: string, DATA_DIR: string, before = 'true') => {
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

describe('A start with an unusable DATA_DIR', () => {
  const folder = useTempFolder();
  const unusable = {
    code: 78,
    lines: ['DATA_DIR: must be a folder that can be written and whose files can be read'],
  };

  it('exits with 78 and one line without the value if DATA_DIR is a file or below a file', () => {
    writeFileSync(join(folder(), 'file'), 'mine');
    expect(failStart(folder(), 'file')).to.deep.equal(unusable);
    expect(failStart(folder(), 'file/below/it')).to.deep.equal(unusable);
  });

  it('exits with 78 and one line if DATA_DIR is a dangling link', () => {
    symlinkSync('nowhere', join(folder(), 'link'));
    expect(failStart(folder(), 'link')).to.deep.equal(unusable);
  });

  it('exits with 78 and one line if the folder cannot be created', function () {
    if (!existsSync('/proc/self')) this.skip();
    expect(failStart(folder(), '/proc/gatehouse/data')).to.deep.equal(unusable);
  });

  it('exits with 78 and one line if the folder is not writable', function () {
    if (process.getuid?.() === 0) this.skip();
    mkdirSync(join(folder(), 'shut'), { mode: 0o500 });
    expect(failStart(folder(), 'shut')).to.deep.equal(unusable);
  });

  it('exits with 78 and one line if a file in the folder cannot be read', () => {
    mkdirSync(join(folder(), 'data/keys/hash-key'), { recursive: true });
    expect(failStart(folder(), 'data')).to.deep.equal(unusable);
  });

  it('exits with 78 and one line if the disk is full before the first keys are created', () => {
    expect(failStart(folder(), 'data', 'ulimit -f 0')).to.deep.equal({
      code: 78,
      lines: ['DATA_DIR: the disk it is on is full'],
    });
    expect(existsSync(join(folder(), 'data', 'gatehouse.db'))).to.equal(false);
  });

  it('exits with 78 and a line for each missing key file of an existing store', () => {
    mkdirSync(join(folder(), 'data'));
    writeFileSync(join(folder(), 'data', 'gatehouse.db'), '');
    const { code, lines } = failStart(folder(), 'data');
    expect(code).to.equal(78);
    expect(lines.map((line) => line.split(':')[0])).to.deep.equal([
      'HASH_KEY',
      'SIGNING_KEYS_FILE',
      'MASTER_KEYS_FILE',
    ]);
    expect(readdirSync(join(folder(), 'data'))).to.deep.equal(['gatehouse.db']);
  });
});

describe('A start on a full disk', () => {
  const folder = useTempFolder();
  const { start } = useServerProcesses();

  it('serves reads, refuses writes with 503, and logs at most one warning a second', async () => {
    const first = await start('accounts', folder());
    first.signal('SIGKILL');
    await first.ended;
    // Blocks of 512 bytes: the write-ahead log cannot grow by a block.
    const blocks = Math.floor(statSync(join(folder(), 'data/gatehouse.db-wal')).size / 512);
    const restarted = await start('accounts', folder(), {}, `ulimit -f ${blocks}`);
    await restarted.logs('store.write_failed');
    expect((await ask(restarted.url, 'GET', '/.well-known/jwks.json')).status).to.equal(200);
    const startMs = performance.now();
    const before = restarted.logged().length;
    for (let count = 0; count < 30; count += 1) {
      expect((await ask(restarted.url, 'POST', '/api/auth/register', { body: ada })).status).to.equal(503);
    }
    const linesSince = () => restarted.logged().slice(before);
    await until(() => linesSince().filter(({ event }) => event === 'request').length >= 30);
    const seconds = Math.ceil((performance.now() - startMs) / 1_000);
    const warnings = linesSince().filter(({ level }) => level >= 40);
    expect(warnings.length, 'one line a second').to.be.at.most(seconds + 2);
  });
});

describe('A start on a DATA_DIR that other users can read', () => {
  const { start } = useServerProcesses();
  const folder = useTempFolder();
  const modeOf = (path: string) => statSync(path).mode & 0o1777;
  const dataFolder = (mode: number) => {
    const path = join(folder(), 'data');
    mkdirSync(path);
    chmodSync(path, mode);
    return path;
  };

  it('removes the access of other users', async () => {
    const data = dataFolder(0o755);
    const server = await start('accounts', folder());
    expect(modeOf(data)).to.equal(0o700);
    expect(server.logged().map(({ event }) => event)).not.to.include('data_dir.open_to_others');
  });

  it('logs a warning if the folder is sticky, and keeps its mode', async () => {
    const data = dataFolder(0o1777);
    const server = await start('accounts', folder());
    await server.logs('data_dir.open_to_others');
    expect(modeOf(data)).to.equal(0o1777);
  });
});
