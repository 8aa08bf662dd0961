import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import {
  addSecretFile,
  changeSecretFile,
  readOrMakeSecret,
} from '../../../adapters/files/create-or-replace-secret-file.ts';
import { useTempFolder } from '../../support/temp-folder.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 2);
const CHILD = fileURLToPath(new URL('./create-or-replace-secret-file.child.js', import.meta.url));

/** The results of processes that start together, `calls` from each. */
const inProcesses = async (processes: number, ...args: [verb: string, path: string, calls: string]) => {
  const children = Array.from({ length: processes }, () => fork(CHILD, args));
  try {
    await Promise.all(children.map((child) => once(child, 'message')));
    const results = children.map((child) => once(child, 'message'));
    for (const child of children) child.send('go');
    return (await Promise.all(results)).flatMap(([list]) => list as string[]);
  } finally {
    for (const child of children) child.kill();
  }
};

describe('A secret file', () => {
  const folder = useTempFolder();
  const file = () => join(folder(), 'keys', 'secret');
  const names = () => readdir(join(folder(), 'keys'));

  it('is created once and then read', async () => {
    expect(await readOrMakeSecret(file(), () => 'one')).to.equal('one');
    expect(await readOrMakeSecret(file(), () => 'two')).to.equal('one');
  });

  it('is readable only by its owner, as is the folder created for it', async () => {
    await readOrMakeSecret(file(), () => 'one');
    expect((await stat(file())).mode & 0o777).to.equal(0o600);
    expect((await stat(join(folder(), 'keys'))).mode & 0o777).to.equal(0o700);
    await changeSecretFile(file(), () => 'two');
    expect((await stat(file())).mode & 0o777).to.equal(0o600);
  });

  it('is read without its last line break', async () => {
    await addSecretFile(file(), '');
    for (const [text, secret] of [
      ['a', 'a'],
      ['a\n', 'a'],
      ['a\r\n', 'a'],
      [' a \n\n', ' a \n'],
    ] as const) {
      await writeFile(file(), text);
      expect(await readOrMakeSecret(file(), () => 'other')).to.equal(secret);
    }
  });

  it('is not replaced if another is added', async () => {
    expect(await addSecretFile(file(), 'one')).to.equal(true);
    expect(await addSecretFile(file(), 'two')).to.equal(false);
    expect(await readFile(file(), 'utf8')).to.equal('one');
  });

  it('is not created if its path cannot be read', async () => {
    const outcome = readOrMakeSecret(folder(), () => 'one').catch((error: unknown) => error);
    expect(await outcome).to.have.property('code', 'EISDIR');
  });

  for (let round = 1; round <= ROUNDS; round += 1) {
    it(`is created once by 20 concurrent calls in one process (${round})`, async () => {
      const secrets = await Promise.all(
        Array.from({ length: 20 }, (_, number) => readOrMakeSecret(file(), () => `secret ${number}`)),
      );
      expect(new Set(secrets).size).to.equal(1);
      expect(await names()).to.deep.equal(['secret']);
    });

    it(`is created once by 20 concurrent calls in 5 processes (${round})`, async () => {
      const secrets = await inProcesses(5, 'make', file(), '4');
      expect(secrets).to.have.length(20);
      expect(new Set(secrets).size).to.equal(1);
      expect(await names()).to.deep.equal(['secret']);
    });

    it(`contains all of 20 concurrent changes in 4 processes (${round})`, async () => {
      await addSecretFile(file(), '');
      const ids = await inProcesses(4, 'change', file(), '5');
      expect(ids).to.have.length(20);
      expect((await readFile(file(), 'utf8')).trim().split('\n')).to.have.members(ids);
      expect(await names()).to.deep.equal(['secret']);
    });
  }

  const appendAtOnce = async (names: readonly string[]) => {
    await Promise.all(names.map((name) => changeSecretFile(file(), (text) => `${text}${name}\n`)));
    expect((await readFile(file(), 'utf8')).trim().split('\n')).to.have.members(names);
  };
  const NAMES = Array.from({ length: 8 }, (_, number) => `change ${number}`);
  const makeOld = async (path: string) => {
    const past = new Date(Date.now() - 11_000);
    await utimes(path, past, past).catch(() => undefined);
  };

  for (let round = 1; round <= ROUNDS; round += 1) {
    it(`contains all of 8 changes that meet an abandoned claim (${round})`, async () => {
      await addSecretFile(file(), '');
      await writeFile(`${file()}.next`, 'left');
      await makeOld(`${file()}.next`);
      await appendAtOnce(NAMES);
      expect(await names()).to.deep.equal(['secret']);
    });

    it(`contains all of 8 changes if others treat their claims as abandoned (${round})`, async () => {
      await addSecretFile(file(), '');
      let isChanging = true;
      const aging = (async () => {
        for (const claim = `${file()}.next`; isChanging; await pause(1)) {
          const members = await readdir(claim).catch(() => []);
          for (const path of [claim, ...members.map((name) => join(claim, name))]) await makeOld(path);
        }
      })();
      await appendAtOnce(NAMES).finally(() => {
        isChanging = false;
      });
      await aging;
      expect(await names()).to.deep.equal(['secret']);
    });
  }

  it('can be changed after a process died during an earlier change', async () => {
    await addSecretFile(file(), 'one');
    // The claim is a file, as in version 0.1.0, or a folder.
    for (const [claim, leftover, text] of [
      [`${file()}.next`, `${file()}.next`, 'one, two'],
      [`${file()}.next`, join(`${file()}.next`, 'new.0123456789ab.tmp'), 'one, two, two'],
    ] as const) {
      if (leftover !== claim) await mkdir(claim);
      await writeFile(leftover, 'left');
      await makeOld(leftover);
      expect(await changeSecretFile(file(), (before) => `${before}, two`)).to.equal(text);
      expect(await readFile(file(), 'utf8')).to.equal(text);
      expect(await names()).to.deep.equal(['secret']);
    }
  });

  it('is changed only after another process releases its claim', async () => {
    await addSecretFile(file(), 'one');
    const claim = `${file()}.next`;
    await mkdir(claim);
    await writeFile(join(claim, 'new.0123456789ab.tmp'), 'other');
    const changed = changeSecretFile(file(), (before) => `${before}, two`);
    await pause(100);
    expect(await readFile(file(), 'utf8')).to.equal('one');
    await rename(join(claim, 'new.0123456789ab.tmp'), file());
    expect(await changed).to.equal('other, two');
    expect(await names()).to.deep.equal(['secret']);
  });

  it('stays unchanged if the change throws', async () => {
    await addSecretFile(file(), 'one');
    const failing = changeSecretFile(file(), () => {
      throw new TypeError('No');
    });
    expect(await failing.catch((error: unknown) => error)).to.be.instanceOf(TypeError);
    expect(await readFile(file(), 'utf8')).to.equal('one');
    expect(await names()).to.deep.equal(['secret']);
  });
});
