import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { sampleAccount, sampleSession } from '../contracts/samples.ts';
import { openTestService } from '../support/service.ts';
import { useTempFolder } from '../support/temp-folder.ts';
import { comparable, withEmbeddedStore } from '../support/transferred-installation.ts';
import { root } from '../support/tree/root.ts';
import { until } from '../support/until.ts';
import { documentsOf, runCommand } from './run-command.ts';

const USERS = 4_000;

/** Creates a store with its keys, and with more users than one batch of a transfer. */
const createStore = async (dataDir: string): Promise<void> => {
  mkdirSync(dataDir, { mode: 0o700 });
  await openTestService({}, dataDir).then((service) => service.close());
  const ids = Array.from({ length: USERS }, (_, number) => `user-${number}`);
  await withEmbeddedStore(dataDir, async ({ transfer }) => {
    const { accounts, sessions } = transfer().sections;
    await accounts.write(
      ids.map((id) => sampleAccount(id)),
      0,
    );
    await sessions.write(
      ids.map((userId) => sampleSession(`of-${userId}`, { userId })),
      0,
    );
  });
};

describe('The transfer of an installation by commands', () => {
  const folder = useTempFolder();
  const exportFile = () => join(folder(), 'house.jsonl');
  const dirOf = (name: string) => join(folder(), name);
  const run = (name: string, ...args: readonly string[]) =>
    runCommand(folder(), args, { env: { DATA_DIR: dirOf(name) } });

  /** Starts a command and kills it once the condition holds. */
  const crash = async (name: string, args: readonly string[], isDue: () => boolean | Promise<boolean>) => {
    const child = spawn(process.execPath, [join(root, 'dist/cli/main-joined.js'), ...args], {
      cwd: folder(),
      env: { PATH: process.env.PATH, DATA_DIR: dirOf(name) },
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    try {
      await until(isDue);
    } finally {
      child.kill('SIGKILL');
    }
    const [, signal] = await ended;
    expect(signal, 'the command was still running').to.equal('SIGKILL');
  };
  const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

  it('continues after a crash, and other commands refuse the incomplete store', async () => {
    await createStore(dirOf('here'));
    await crash('here', ['store', 'export', exportFile()], () => sizeOf(`${exportFile()}.part`) > 300_000);
    expect(sizeOf(exportFile())).to.equal(0);
    const exported = await run('here', 'store', 'export', exportFile(), '--json');
    expect(exported.status, exported.stderr).to.equal(0);
    const [report] = documentsOf(exported);
    expect(report).to.include({ file: exportFile(), records: 2 * USERS + 2 });
    expect(exported.stderr).to.include('Not in the export, copy it as well: SIGNING_KEYS_FILE: ');

    mkdirSync(dirOf('there'), { mode: 0o700 });
    cpSync(join(dirOf('here'), 'keys'), join(dirOf('there'), 'keys'), { recursive: true });
    const linesIn = () =>
      withEmbeddedStore(
        dirOf('there'),
        async ({ transfer }) => (await transfer().unfinishedImport())?.lines ?? 0,
      );
    await crash('there', ['store', 'import', exportFile()], async () =>
      sizeOf(join(dirOf('there'), 'gatehouse.db')) > 0 ? (await linesIn()) > 400 : false,
    );
    const lines = await linesIn();
    expect(lines).to.be.within(401, 2 * USERS);

    for (const args of [['stats'], ['store', 'export', `${exportFile()}.2`]]) {
      const { status, stderr } = await run('there', ...args);
      expect([status, stderr]).to.deep.equal([75, stderr]);
      expect(stderr).to.include('it has an unfinished import: run store import');
    }
    const imported = await run('there', 'store', 'import', exportFile(), '--json');
    expect(imported.status, imported.stderr).to.equal(0);
    expect(documentsOf(imported)[0]).to.include({ records: 2 * USERS + 2, sha256: report?.sha256 });
    expect((await run('there', 'store', 'export', `${exportFile()}.2`)).status).to.equal(0);
    expect(comparable(`${exportFile()}.2`)).to.deep.equal(comparable(exportFile()));

    const verified = await run('there', 'audit', 'verify');
    expect(verified.status, verified.stderr).to.equal(0);
    const again = await run('there', 'store', 'import', exportFile());
    expect([again.status, again.stderr]).to.deep.equal([1, again.stderr]);
    expect(again.stderr).to.include('The store holds users or other records already');
  });

  it('reports invalid files and paths with the exit codes of other commands', async () => {
    expect((await run('here', 'store', 'export')).status).to.equal(2);
    expect((await run('here', 'store', 'import')).status).to.equal(2);
    expect((await run('here', 'store', 'export', exportFile())).status).to.equal(78);
    writeFileSync(exportFile(), 'something else\n');
    const refusal = await run('here', 'store', 'import', exportFile());
    expect([refusal.status, refusal.stderr.trim()]).to.deep.equal([
      1,
      `Line 1 of ${exportFile()} is wrong for an export: it is not JSON.`,
    ]);
    const missing = await run('here', 'store', 'import', 'missing.jsonl');
    expect([missing.status, missing.stderr]).to.deep.equal([1, missing.stderr]);
    expect(missing.stderr).to.include('missing.jsonl');
    expect((await run('here', 'store', 'import', folder())).status).to.equal(1);
    expect(readFileSync(exportFile(), 'utf8')).to.equal('something else\n');
    expect(sizeOf(dirOf('here'))).to.equal(0);
  });
});
