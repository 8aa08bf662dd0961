import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { openDatabase } from '../../../../adapters/sqlite/database.ts';
import type { EmbeddedDatabase } from '../../../../adapters/sqlite/engine/database-file.ts';
import { inRounds } from '../../../contracts/race.ts';
import { ROUNDS } from '../../../support/rounds.ts';
import { useTempFolder } from '../../../support/temp-folder.ts';

const PROGRAM = fileURLToPath(new URL('./database-child.js', import.meta.url));

describe('Several processes on one SQLite folder', function () {
  this.timeout(300_000 + ROUNDS * 5_000);
  const folder = useTempFolder();
  const children: ChildProcess[] = [];
  let database: EmbeddedDatabase | undefined;

  const start = (role: string, dataFolder = folder()) => {
    const child = fork(PROGRAM, [dataFolder, role]);
    children.push(child);
    return child;
  };
  const openIn = (dataFolder = folder()) => {
    database = openDatabase({ folder: dataFolder });
    return database;
  };

  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await database?.close();
  });

  it('open a new folder at the same time, and count every attempt once', () =>
    inRounds(async (round) => {
      const dataFolder = `${folder()}/${round}`;
      const processes = Array.from({ length: 3 }, () => start('count', dataFolder));
      await Promise.all(processes.map((child) => once(child, 'message')));
      for (const child of processes) child.send('open');
      const counts = await Promise.all(
        processes.map(async (child) => {
          const [[message], [code]] = await Promise.all([once(child, 'message'), once(child, 'exit')]);
          expect(code).to.equal(0);
          return message;
        }),
      );
      const sortedCounts = counts.flat().toSorted((a, b) => a - b);
      expect(sortedCounts).to.deep.equal(Array.from({ length: 300 }, (_, place) => place + 1));
    }));

  it('lose no acknowledged write if one of them is killed while it writes', () =>
    inRounds(async (round) => {
      const dataFolder = `${folder()}/${round}`;
      const child = start('write', dataFolder);
      const acknowledged: unknown[] = [];
      child.on('message', (id) => {
        acknowledged.push(id);
        if (acknowledged.length === 100 * round) child.kill('SIGKILL');
      });
      await once(child, 'close');
      const reopened = openIn(dataFolder);
      const ids = new Set((await reopened.read.all('SELECT id FROM accounts', [])).map(({ id }) => id));
      expect(acknowledged.length).to.be.at.least(100 * round);
      expect(acknowledged.filter((id) => typeof id !== 'string' || !ids.has(id))).to.deep.equal([]);
      expect(await reopened.read.all('PRAGMA integrity_check', [])).to.deep.equal([
        { integrity_check: 'ok' },
      ]);
      await reopened.close();
    }));

  it('get the lock of a killed process, and do not see its uncommitted rows', async () => {
    const { read, write } = openIn();
    const add = (key: string) => write([{ sql: 'INSERT INTO tries VALUES (?, 1, 0, 0)', params: [key] }]);
    await add('before');
    const child = start('hold');
    await once(child, 'message');
    let isDone = false;
    const writing = add('after').then(() => {
      isDone = true;
    });
    for (let turn = 0; turn < 200; turn += 1) {
      await new Promise(setImmediate);
      expect(await read.all('SELECT key FROM tries', [])).to.deep.equal([{ key: 'before' }]);
    }
    expect(isDone).to.equal(false);
    child.kill('SIGKILL');
    await writing;
    expect(await read.all('SELECT key FROM tries ORDER BY key', [])).to.deep.equal([
      { key: 'after' },
      { key: 'before' },
    ]);
  });

  it('fail a write that exceeds the space on the disk, and accept smaller writes', async () => {
    // A limit on the size of files simulates a full disk: 4096 blocks of 512 bytes.
    const args = ['-c', 'ulimit -S -f 4096; exec "$0" "$@"', process.execPath, PROGRAM, folder(), 'fill'];
    const child = spawn('sh', args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    children.push(child);
    const messages: unknown[] = [];
    child.on('message', (message) => messages.push(message));
    const [code] = await once(child, 'close');
    expect(messages).to.deep.equal([
      'written',
      'store_unavailable',
      'written',
      [{ length: 10 }, { length: 20 }],
    ]);
    expect(code).to.equal(0);
  });

  it('exit without closing the database: an idle writer thread keeps no process alive', async () => {
    const child = start('leave');
    const [[message], [code]] = await Promise.all([once(child, 'message'), once(child, 'exit')]);
    expect([message, code]).to.deep.equal(['written', 0]);
    expect(await openIn().read.all('SELECT key FROM tries', [])).to.deep.equal([{ key: 'key' }]);
  });
});
