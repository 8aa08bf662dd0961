import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import Libsql from 'libsql';
import { makeKeyFile } from '../../adapters/compose.ts';
import { inRounds } from '../contracts/race.ts';
import { ROUNDS } from '../support/rounds.ts';
import {
  type RunningServer,
  type ServerProcess,
  useServerProcesses,
} from '../support/servers/server-process.ts';
import { ask, easySettings, openTestService } from '../support/service.ts';
import { useTempFolder } from '../support/temp-folder.ts';
import { root } from '../support/tree/root.ts';
import { until } from '../support/until.ts';
import { runCommand } from './run-command.ts';

const OBJECTS = 40;
const OBJECT_BYTES = 500_000;
const UNFINISHED = 'it has an unfinished restore: run store restore again';

describe('A server started during store restore', function () {
  this.timeout(300_000 + ROUNDS * 20_000);
  const folder = useTempFolder();
  const { launch } = useServerProcesses();
  const archive = () => join(folder(), 'backup.tar');
  let backedUpEmails: readonly string[] = [];
  const children: ChildProcess[] = [];
  const endings: Promise<unknown>[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await Promise.all(endings.splice(0));
  });

  /** The keys are outside the data folder, as in production, so that the server can start on any store. */
  const settingsFor = (dataDir: string) => ({
    DATA_DIR: dataDir,
    HASH_KEY_FILE: join(folder(), 'hash-key'),
    SIGNING_KEYS_FILE: join(folder(), 'signing.json'),
    MASTER_KEYS_FILE: join(folder(), 'master.json'),
  });
  const createBackup = async () => {
    const dataDir = join(folder(), 'house');
    mkdirSync(dataDir);
    for (const kind of ['signing', 'master'] as const)
      await makeKeyFile(kind, join(folder(), `${kind}.json`));
    await makeKeyFile('hash', join(folder(), 'hash-key'));
    const { DATA_DIR: _, HASH_KEY_FILE: __, ...keys } = settingsFor(dataDir);
    const service = await openTestService(keys, dataDir);
    backedUpEmails = (
      await Promise.all(['a', 'b'].map((name) => service.signUp({ email: `${name}@example.com` })))
    ).map(({ email }) => email);
    await service.close();
    const objects = join(dataDir, 'objects/0199a0a0-0000-7000-8000-000000000000');
    mkdirSync(objects, { recursive: true });
    for (let number = 0; number < OBJECTS; number += 1) {
      writeFileSync(join(objects, `avatar_${number}.png`), randomBytes(OBJECT_BYTES));
    }
    const env = { ...settingsFor(dataDir), HASH_KEY_FILE: join(dataDir, 'keys/hash-key') };
    const { status, stderr } = await runCommand(folder(), ['store', 'backup', archive()], { env });
    expect(status, stderr).to.equal(0);
  };

  /** Begins a restore; `ended` resolves with its exit code and standard error. */
  const beginRestore = (dataDir: string) => {
    const child = spawn(
      process.execPath,
      [join(root, 'dist/cli/main-joined.js'), 'store', 'restore', archive()],
      {
        cwd: folder(),
        env: { PATH: process.env.PATH, ...easySettings, ...settingsFor(dataDir) },
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    children.push(child);
    const ended = Promise.all([text(child.stderr), once(child, 'close')]).then(([stderr, [code]]) => ({
      code: code as number | null,
      stderr,
    }));
    endings.push(ended);
    return { kill: (name: NodeJS.Signals) => child.kill(name), ended };
  };

  const endOf = async (server: ServerProcess) => {
    const { code } = await server.ended;
    return { code, stderr: server.stderr() };
  };
  /** Restarts the server after each exit with 75 until it serves, as a systemd unit does. */
  const startUntilUp = async (
    dataDir: string,
    onRefusal: (stderr: string) => void,
  ): Promise<RunningServer> => {
    for (;;) {
      const server = launch('accounts', folder(), settingsFor(dataDir));
      let end: Awaited<ReturnType<typeof endOf>> | undefined;
      // A failure becomes an unhandled rejection, which fails the test.
      void endOf(server).then((result) => {
        end = result;
      });
      await until(() => end !== undefined || /^Data .*\n/m.test(server.stderr()));
      if (end === undefined) {
        const url = /^Accounts +(http\S+)$/m.exec(server.stderr())?.[1] ?? '';
        return { ...server, url, metadataUrl: '' };
      }
      expect(end.code, end.stderr).to.equal(75);
      onRefusal(end.stderr);
      await pause(100);
    }
  };

  /** Checks the integrity of a store and returns the emails of all accounts. */
  const emailsIn = (dataDir: string): readonly string[] => {
    const database = new Libsql(join(dataDir, 'gatehouse.db'), { timeout: 30_000 });
    try {
      expect(database.prepare('PRAGMA integrity_check').get()).to.include({ integrity_check: 'ok' });
      const rows = database.prepare('SELECT email FROM accounts').all() as { readonly email: string }[];
      return rows.map(({ email }) => email);
    } finally {
      database.close();
    }
  };

  /** Signs users up one after the other; `end` stops and returns the emails that the server acknowledged. */
  const beginSignUps = (url: string, name: string) => {
    const acknowledged: string[] = [];
    let isStopped = false;
    const signUp = async () => {
      for (let number = 0; !isStopped || number < 10; number += 1) {
        const email = `${name}-${number}@example.com`;
        const body = { email, password: 'correct horse battery' };
        const { status } = await ask(url, 'POST', '/api/auth/register', { body });
        if (status < 300) acknowledged.push(email);
      }
      return acknowledged;
    };
    const emails = signUp();
    return {
      end: () => {
        isStopped = true;
        return emails;
      },
    };
  };

  /** Sends a signal to an unfinished restore; begins another restore if one ends before the signal. */
  const interruptRestore = async (signal: NodeJS.Signals) => {
    for (let number = 1; ; number += 1) {
      const dataDir = join(folder(), `interrupted-${number}`);
      const isInPlace = () => existsSync(join(dataDir, 'gatehouse.db'));
      const restore = beginRestore(dataDir);
      await until(() => existsSync(join(dataDir, 'restoring')) || isInPlace());
      restore.kill(signal);
      if (signal === 'SIGKILL') await restore.ended;
      if (!isInPlace()) return { dataDir, restore };
      restore.kill('SIGCONT');
      await restore.ended;
      if (number === 20) throw new Error('Each restore ended before the signal');
    }
  };

  it('exits with 75 while the restore runs, and the restore is completed', async () => {
    await createBackup();
    const { dataDir, restore } = await interruptRestore('SIGSTOP');
    const { code, stderr } = await endOf(launch('all', folder(), settingsFor(dataDir)));
    expect(code, stderr).to.equal(75);
    expect(stderr).to.include(
      `a restore into it is under way and holds ${join(dataDir, 'gatehouse.db.lock')}`,
    );
    restore.kill('SIGCONT');
    const ended = await restore.ended;
    expect(ended.code, ended.stderr).to.equal(0);
    expect(readdirSync(dataDir).sort()).to.deep.equal(['gatehouse.db', 'objects']);
    expect(emailsIn(dataDir)).to.have.members(backedUpEmails);
  });

  it('exits with 75 and names store restore after a killed restore, which can be repeated', async () => {
    await createBackup();
    const { dataDir } = await interruptRestore('SIGKILL');
    const { code, stderr } = await endOf(launch('all', folder(), settingsFor(dataDir)));
    expect([code, stderr]).to.deep.equal([75, stderr]);
    expect(stderr).to.include(UNFINISHED).and.to.include(join(dataDir, 'restoring'));
    const stats = await runCommand(folder(), ['stats'], { env: settingsFor(dataDir) });
    expect([stats.status, stats.stderr.includes(UNFINISHED)]).to.deep.equal([75, true]);
    const again = await beginRestore(dataDir).ended;
    expect(again.code, again.stderr).to.equal(0);
    expect(readdirSync(dataDir).sort()).to.deep.equal(['gatehouse.db', 'objects']);
    expect(emailsIn(dataDir)).to.have.members(backedUpEmails);
  });

  it('keeps every acknowledged write, whenever it starts and the restore is killed', async () => {
    await createBackup();
    const startedAt = performance.now();
    const { code, stderr } = await beginRestore(join(folder(), 'measured')).ended;
    expect(code, stderr).to.equal(0);
    const restoreMs = performance.now() - startedAt;
    let acknowledged = 0;

    await inRounds(async (number) => {
      const dataDir = join(folder(), `there-${number}`);
      const isKilled = number % 3 === 0;
      // A start takes about as long as a restore, so that either may come first.
      const leadMs = (2 * Math.random() - 1) * restoreMs;
      const serving = pause(Math.max(0, leadMs)).then(async () => {
        const server = await startUntilUp(dataDir, (stderr) => {
          expect(stderr).to.match(/a restore into it is under way|it has an unfinished restore/);
          if (isKilled && stderr.includes(UNFINISHED)) beginRestore(dataDir);
        });
        return { server, signUps: beginSignUps(server.url, `new-${number}`) };
      });
      await pause(Math.max(0, -leadMs));
      const restore = beginRestore(dataDir);
      if (isKilled) {
        await pause(Math.random() * restoreMs);
        restore.kill('SIGKILL');
      }
      const { server, signUps } = await serving;
      const end = await restore.ended;
      const newEmails = await signUps.end();
      server.signal('SIGTERM');
      expect(await server.ended).to.include({ code: 0 });

      expect(newEmails.length).to.be.at.least(10);
      acknowledged += newEmails.length;
      const emails = emailsIn(dataDir);
      expect(emails, `round ${number}, restore ended with ${end.code}`).to.include.members([
        ...newEmails,
        ...(end.code === 0 ? backedUpEmails : []),
      ]);
      if (end.code !== null)
        expect([end.code, end.stderr]).to.deep.equal([emails.includes('a@example.com') ? 0 : 1, end.stderr]);
    });
    expect(acknowledged).to.be.at.least(10 * ROUNDS);
  });
});
