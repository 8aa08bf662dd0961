import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import Libsql from 'libsql';
import { ROUNDS } from '../support/rounds.ts';
import { useServerProcesses } from '../support/servers/server-process.ts';
import { ask, easySettings } from '../support/service.ts';
import { useTempFolder } from '../support/temp-folder.ts';
import { root } from '../support/tree/root.ts';
import { until } from '../support/until.ts';
import { documentsOf, runCommand } from './run-command.ts';

const GENERATIONS = 5;
const RECORDS = 300 * ROUNDS;
const DEK = '0123456789abcdef0123456789abcdef';

/** Starts a rotation and kills its process after this time. */
const rotateUntilKilled = async (folder: string, delayMs: number): Promise<void> => {
  const child = spawn(
    process.execPath,
    [join(root, 'dist/cli/main-joined.js'), 'keys', 'rotate', '--kind', 'master'],
    {
      cwd: folder,
      env: { PATH: process.env.PATH, ...easySettings },
      stdio: 'ignore',
    },
  );
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await Promise.race([pause(delayMs), ended]);
  child.kill('SIGKILL');
  await ended;
};

describe('Master keys', function () {
  this.timeout(600_000);
  const { start } = useServerProcesses();
  const folder = useTempFolder();

  const masterKeys = async () => {
    const result = await runCommand(folder(), ['keys', 'status', '--json']);
    expect(result.status, result.stderr).to.equal(0);
    return documentsOf(result).filter(({ kind }) => kind === 'master');
  };
  const wrap = async (url: string, context: string) => {
    const { body } = await ask(url, 'POST', '/api/v1/dek/wrap', { body: { dek: DEK, context } });
    return String(body.dekEnc);
  };
  const unwrap = (url: string, dekEnc: string, context: string) =>
    ask(url, 'POST', '/api/v1/dek/unwrap', { body: { dekEnc, context } });

  const importRecords = async (url: string): Promise<void> => {
    const dekEnc = await wrap(url, 'file');
    const line = (number: number) =>
      JSON.stringify({
        filenameEnc: `f${number}`,
        size: 1,
        user: 'u1',
        mimeType: 'a/b',
        dekEnc,
        thumb: false,
      });
    mkdirSync(folder(), { recursive: true });
    const file = join(folder(), 'files.jsonl');
    writeFileSync(file, `${Array.from({ length: RECORDS }, (_, number) => line(number)).join('\n')}\n`);
    const result = await runCommand(folder(), ['files', 'import', file]);
    expect(result.status, result.stderr).to.equal(0);
  };

  const storedIds = async (url: string): Promise<readonly string[]> => {
    const { body } = await ask(url, 'GET', '/api/v1/meta?userId=u1&limit=20');
    return Array.from(Object.values(body.files ?? {}), ({ id }) => String(id));
  };
  const storedKeys = async (url: string): Promise<readonly string[]> => {
    const ids = await storedIds(url);
    return Promise.all(
      ids.map(async (id) => String((await ask(url, 'GET', `/api/v1/meta/${id}`)).body.dekEnc)),
    );
  };

  it(`decrypt all data keys after ${GENERATIONS} rotations, each killed and continued`, async () => {
    const { metadataUrl: url } = await start('all', folder());
    await importRecords(url);
    const wrappedKeys: string[] = [];
    for (let generation = 0; generation < GENERATIONS; generation += 1) {
      wrappedKeys.push(await wrap(url, `held ${generation}`));
      await rotateUntilKilled(folder(), 250 + Math.random() * 600);
      const result = await runCommand(folder(), ['keys', 'rotate', '--kind', 'master', '--json']);
      expect(result.status, result.stderr).to.equal(0);
      expect(documentsOf(result)[0]).to.include({ left: 0, notOurs: 0 });
    }
    const keys = await masterKeys();
    expect(keys.length).to.be.within(GENERATIONS + 1, 2 * GENERATIONS + 1);
    expect(keys.filter(({ sealed }) => sealed !== 0)).to.have.length(1);
    expect(keys.find(({ state }) => state === 'current')).to.include({ sealed: RECORDS });
    for (const [generation, dekEnc] of wrappedKeys.entries()) {
      expect((await unwrap(url, dekEnc, `held ${generation}`)).body).to.deep.equal({ dek: DEK });
    }
    for (const dekEnc of await storedKeys(url)) {
      expect((await unwrap(url, dekEnc, 'file')).body).to.deep.equal({ dek: DEK });
    }
  });

  /** Reads a record into the cache and deletes it from the store. Returns its path. */
  const leaveInCacheOnly = async (url: string): Promise<string> => {
    const [id] = await storedIds(url);
    const path = `/api/v1/meta/${id}`;
    await ask(url, 'GET', path);
    const store = new Libsql(join(folder(), 'data/gatehouse.db'), { timeout: 30_000 });
    store.prepare('DELETE FROM files WHERE id = ?').run([id]);
    store.close();
    expect((await ask(url, 'GET', path)).status, 'from the cache').to.equal(200);
    return path;
  };

  it('are retired only once no stored value needs them, and then no longer decrypt', async () => {
    const { metadataUrl: url } = await start('all', folder());
    await importRecords(url);
    const wrappedBefore = await wrap(url, 'held');
    const [first] = await masterKeys();
    const id = String(first?.id);
    const refusal = await runCommand(folder(), ['keys', 'retire', id, '--yes']);
    expect(refusal.status).not.to.equal(0);
    expect(refusal.stderr).to.include(`${RECORDS} values are still encrypted`);

    expect((await runCommand(folder(), ['keys', 'rotate', '--kind', 'master'])).status).to.equal(0);
    const unconfirmed = await runCommand(folder(), ['keys', 'retire', id]);
    expect(unconfirmed.status).to.equal(1);
    expect(unconfirmed.stderr).to.include('--yes');
    expect((await unwrap(url, wrappedBefore, 'held')).status).to.equal(200);
    const cachedPath = await leaveInCacheOnly(url);

    expect((await runCommand(folder(), ['keys', 'retire', id, '--yes'])).status).to.equal(0);
    // Servers check once a second whether the key file has changed.
    await until(async () => (await unwrap(url, wrappedBefore, 'held')).status !== 200);
    const { status, body } = await unwrap(url, wrappedBefore, 'held');
    expect([status, body.error]).to.deep.equal([400, 'invalid_enc_dek']);
    // The command invalidates the cache, whose entries may hold keys wrapped by that key; the server follows within a second.
    await until(async () => (await ask(url, 'GET', cachedPath)).status === 404);
    for (const dekEnc of await storedKeys(url)) {
      expect((await unwrap(url, dekEnc, 'file')).status).to.equal(200);
    }
    expect(await masterKeys()).to.deep.include.members([{ ...first, state: 'retired', sealed: 0 }]);
  });
});
