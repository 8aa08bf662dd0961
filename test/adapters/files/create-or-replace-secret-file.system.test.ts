import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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

/** What that many processes give that begin together, `calls` results each. */
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

  it('is made once and read from then on', async () => {
    expect(await readOrMakeSecret(file(), () => 'one')).to.equal('one');
    expect(await readOrMakeSecret(file(), () => 'two')).to.equal('one');
  });

  it('can be read by its owner only, and so can the folder made for it', async () => {
    await readOrMakeSecret(file(), () => 'one');
    expect((await stat(file())).mode & 0o777).to.equal(0o600);
    expect((await stat(join(folder(), 'keys'))).mode & 0o777).to.equal(0o700);
    await changeSecretFile(file(), () => 'two');
    expect((await stat(file())).mode & 0o777).to.equal(0o600);
  });

  it('is read without its last line break and nothing else', async () => {
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

  it('is not replaced by one that is added', async () => {
    expect(await addSecretFile(file(), 'one')).to.equal(true);
    expect(await addSecretFile(file(), 'two')).to.equal(false);
    expect(await readFile(file(), 'utf8')).to.equal('one');
  });

  it('is not made where it cannot be read', async () => {
    const outcome = readOrMakeSecret(folder(), () => 'one').catch((error: unknown) => error);
    expect(await outcome).to.have.property('code', 'EISDIR');
  });

  for (let round = 1; round <= ROUNDS; round += 1) {
    it(`is one and the same for 20 that make it at once in one process (${round})`, async () => {
      const secrets = await Promise.all(
        Array.from({ length: 20 }, (_, number) => readOrMakeSecret(file(), () => `secret ${number}`)),
      );
      expect(new Set(secrets).size).to.equal(1);
      expect(await names()).to.deep.equal(['secret']);
    });

    it(`is one and the same for 20 that make it at once in 5 processes (${round})`, async () => {
      const secrets = await inProcesses(5, 'make', file(), '4');
      expect(secrets).to.have.length(20);
      expect(new Set(secrets).size).to.equal(1);
      expect(await names()).to.deep.equal(['secret']);
    });

    it(`has every one of 20 changes made at once in 4 processes (${round})`, async () => {
      await addSecretFile(file(), '');
      const ids = await inProcesses(4, 'change', file(), '5');
      expect(ids).to.have.length(20);
      expect((await readFile(file(), 'utf8')).trim().split('\n')).to.have.members(ids);
      expect(await names()).to.deep.equal(['secret']);
    });
  }

  it('is changed although a process died over an earlier change', async () => {
    await addSecretFile(file(), 'one');
    await writeFile(`${file()}.next`, 'left');
    const long = new Date(Date.now() - 11_000);
    await utimes(`${file()}.next`, long, long);
    expect(await changeSecretFile(file(), (text) => `${text}, two`)).to.equal('one, two');
    expect(await readFile(file(), 'utf8')).to.equal('one, two');
    expect(await names()).to.deep.equal(['secret']);
  });

  it('stays as it is when the change throws', async () => {
    await addSecretFile(file(), 'one');
    const failing = changeSecretFile(file(), () => {
      throw new TypeError('No');
    });
    expect(await failing.catch((error: unknown) => error)).to.be.instanceOf(TypeError);
    expect(await readFile(file(), 'utf8')).to.equal('one');
    expect(await names()).to.deep.equal(['secret']);
  });
});
