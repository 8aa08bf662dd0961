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
const HALF = 'it has an unfinished restore: run store restore again';

describe('A server that is started during store restore', function () {
  this.timeout(300_000 + ROUNDS * 20_000);
  const folder = useTempFolder();
  const { launch } = useServerProcesses();
  const archive = () => join(folder(), 'backup.tar');
  let restored: readonly string[] = [];
  const children: ChildProcess[] = [];
  const endings: Promise<unknown>[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await Promise.all(endings.splice(0));
  });

  /** Its keys lie elsewhere, as in production, so that it starts on whatever store it finds. */
  const settingsFor = (dataDir: string) => ({
    DATA_DIR: dataDir,
    HASH_KEY_FILE: join(folder(), 'hash-key'),
    SIGNING_KEYS_FILE: join(folder(), 'signing.json'),
    MASTER_KEYS_FILE: join(folder(), 'master.json'),
  });
  const makeHouse = async () => {
    const dataDir = join(folder(), 'house');
    mkdirSync(dataDir);
    for (const kind of ['signing', 'master'] as const)
      await makeKeyFile(kind, join(folder(), `${kind}.json`));
    await makeKeyFile('hash', join(folder(), 'hash-key'));
    const { DATA_DIR: _, HASH_KEY_FILE: __, ...keys } = settingsFor(dataDir);
    const service = await openTestService(keys, dataDir);
    restored = (
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

  /** Begins a restore; what it said comes when it has ended. */
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

  const whenOver = async (server: ServerProcess) => {
    const { code } = await server.ended;
    return { code, said: server.stderr() };
  };
  /** As a unit does: after 75 again and again, until it serves. */
  const startUntilUp = async (dataDir: string, refused: (said: string) => void): Promise<RunningServer> => {
    for (;;) {
      const server = launch('accounts', folder(), settingsFor(dataDir));
      let ending: Awaited<ReturnType<typeof whenOver>> | undefined;
      // Its failure is an unhandled rejection, which fails the test.
      void whenOver(server).then((how) => {
        ending = how;
      });
      await until(() => ending !== undefined || /^Data .*\n/m.test(server.stderr()));
      if (ending === undefined) {
        const url = /^Accounts +(http\S+)$/m.exec(server.stderr())?.[1] ?? '';
        return { ...server, url, metadataUrl: '' };
      }
      expect(ending.code, ending.said).to.equal(75);
      refused(ending.said);
      await pause(100);
    }
  };

  /** The emails of all accounts, in a store that is whole. */
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

  /** Signs up one after the other until told to stop, and gives those that were acknowledged. */
  const signUps = (url: string, name: string) => {
    const acknowledged: string[] = [];
    let isOver = false;
    const signUp = async () => {
      for (let number = 0; !isOver || number < 10; number += 1) {
        const email = `${name}-${number}@example.com`;
        const body = { email, password: 'correct horse battery' };
        const { status } = await ask(url, 'POST', '/api/auth/register', { body });
        if (status < 300) acknowledged.push(email);
      }
      return acknowledged;
    };
    const over = signUp();
    return {
      end: () => {
        isOver = true;
        return over;
      },
    };
  };

  /** Sends a restore a signal in its middle; tries again where it was quicker. */
  const interrupted = async (signal: NodeJS.Signals) => {
    for (let number = 1; ; number += 1) {
      const there = join(folder(), `interrupted-${number}`);
      const isInPlace = () => existsSync(join(there, 'gatehouse.db'));
      const restore = beginRestore(there);
      await until(() => existsSync(join(there, 'restoring')) || isInPlace());
      restore.kill(signal);
      if (signal === 'SIGKILL') await restore.ended;
      if (!isInPlace()) return { there, restore };
      restore.kill('SIGCONT');
      await restore.ended;
      if (number === 20) throw new Error('Each restore was quicker than the signal');
    }
  };

  it('does not get in, and the restore puts everything in place', async () => {
    await makeHouse();
    const { there, restore } = await interrupted('SIGSTOP');
    const { code, said } = await whenOver(launch('all', folder(), settingsFor(there)));
    expect(code, said).to.equal(75);
    expect(said).to.include(`a restore into it is under way and holds ${join(there, 'gatehouse.db.lock')}`);
    restore.kill('SIGCONT');
    const ended = await restore.ended;
    expect(ended.code, ended.stderr).to.equal(0);
    expect(readdirSync(there).sort()).to.deep.equal(['gatehouse.db', 'objects']);
    expect(emailsIn(there)).to.have.members(restored);
  });

  it('finds one that was killed and says what to do, and the restore can be repeated', async () => {
    await makeHouse();
    const { there } = await interrupted('SIGKILL');
    const { code, said } = await whenOver(launch('all', folder(), settingsFor(there)));
    expect([code, said]).to.deep.equal([75, said]);
    expect(said).to.include(HALF).and.to.include(join(there, 'restoring'));
    const stats = await runCommand(folder(), ['stats'], { env: settingsFor(there) });
    expect([stats.status, stats.stderr.includes(HALF)]).to.deep.equal([75, true]);
    const again = await beginRestore(there).ended;
    expect(again.code, again.stderr).to.equal(0);
    expect(readdirSync(there).sort()).to.deep.equal(['gatehouse.db', 'objects']);
    expect(emailsIn(there)).to.have.members(restored);
  });

  it('loses no write that was acknowledged, whenever it is started and the restore is killed', async () => {
    await makeHouse();
    const began = performance.now();
    const { code, stderr } = await beginRestore(join(folder(), 'measured')).ended;
    expect(code, stderr).to.equal(0);
    const takes = performance.now() - began;
    let acknowledged = 0;

    await inRounds(async (number) => {
      const there = join(folder(), `there-${number}`);
      const isKilled = number % 3 === 0;
      // A start takes as long as most of a restore, so that either may come first.
      const lead = (2 * Math.random() - 1) * takes;
      const serving = pause(Math.max(0, lead)).then(async () => {
        const server = await startUntilUp(there, (said) => {
          expect(said).to.match(/a restore into it is under way|it has an unfinished restore/);
          if (isKilled && said.includes(HALF)) beginRestore(there);
        });
        return { server, signing: signUps(server.url, `new-${number}`) };
      });
      await pause(Math.max(0, -lead));
      const restore = beginRestore(there);
      if (isKilled) {
        await pause(Math.random() * takes);
        restore.kill('SIGKILL');
      }
      const { server, signing } = await serving;
      const end = await restore.ended;
      const signed = await signing.end();
      server.signal('SIGTERM');
      expect(await server.ended).to.include({ code: 0 });

      expect(signed.length).to.be.at.least(10);
      acknowledged += signed.length;
      const emails = emailsIn(there);
      expect(emails, `round ${number}, restore ended with ${end.code}`).to.include.members([
        ...signed,
        ...(end.code === 0 ? restored : []),
      ]);
      if (end.code !== null)
        expect([end.code, end.stderr]).to.deep.equal([emails.includes('a@example.com') ? 0 : 1, end.stderr]);
    });
    expect(acknowledged).to.be.at.least(10 * ROUNDS);
  });
});
