import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeBlocklist } from '../../../adapters/hashing/blocklist.ts';
import { CoreError } from '../../../core/errors.ts';
import { useTempFolder } from '../../support/temp-folder.ts';

describe('The password block-list', () => {
  const folder = useTempFolder();
  const writeList = (content: string | Uint8Array) => {
    const path = join(folder(), 'hunter2-list');
    writeFileSync(path, content);
    return path;
  };

  it('contains common passwords by default, in any letter case or width', async () => {
    const list = makeBlocklist('builtin');
    for (const password of [
      'password',
      'Password1',
      'QWERTYUIOP',
      '12345678',
      'iloveyou',
      'ｐａｓｓｗｏｒｄ',
      'trustno1',
    ]) {
      expect(await list.has(password, []), password).to.equal(true);
    }
    for (const password of ['', 'password ', 'correct horse battery staple', 'toString', '__proto__']) {
      expect(await list.has(password, []), password).to.equal(false);
    }
  });

  it('contains more than 10,000 entries of valid length by default', async () => {
    const list = makeBlocklist('builtin');
    const all = createRequire(import.meta.url)('@zxcvbn-ts/language-common/src/passwords.json') as string[];
    const long = all.filter((password) => password.length >= 8);
    expect(long.length).to.be.greaterThan(10_000);
    for (const password of long.slice(0, 10_000)) expect(await list.has(password, [])).to.equal(true);
  });

  it('contains context words, alone, with a usual ending or repeated, beside either list', async () => {
    const contextWords = ['Zephyrine', 'ada', 'ada.byron@EXAMPLE.com'];
    for (const list of [makeBlocklist('builtin'), makeBlocklist(writeList('dragon\n'))]) {
      for (const password of [
        ...['Ada.Byron@example.com', 'ZEPHYRINE', 'zephyrine1915!', 'Zephyrine_1', 'ada2026!', 'adaadaada'],
        ...['zephyrinezephyrine', 'ｚｅｐｈｙｒｉｎｅ'],
      ])
        expect(await list.has(password, contextWords), password).to.equal(true);
      for (const password of ['zephyrine writes notes', 'zephyrine7391264', 'byron-estate'])
        expect(await list.has(password, contextWords), password).to.equal(false);
      expect(await list.has('zephyrine', [])).to.equal(false);
    }
  });

  it('can be turned off', async () => {
    const list = makeBlocklist('off');
    await list.load();
    expect(await list.has('password', ['password'])).to.equal(false);
  });

  it('can be replaced by a file of one password a line', async () => {
    const list = makeBlocklist(writeList('\ufeffGatehouse1\r\n\r\n   \nŻółw Ąę\n\ntwo words\n ab'));
    for (const password of [
      'gatehouse1',
      'GATEHOUSE1',
      'żółw ąę',
      'z\u0307o\u0301łw a\u0328e\u0328',
      'two words',
      ' AB',
    ]) {
      expect(await list.has(password, []), password).to.equal(true);
    }
    for (const password of ['', '   ', '\r', 'two', 'ab', 'password', 'gatehouse1\r']) {
      expect(await list.has(password, []), password).to.equal(false);
    }
  });

  it('is read once and keeps its content', async () => {
    const path = writeList('gatehouse1\n');
    const list = makeBlocklist(path);
    await list.load();
    writeFileSync(path, 'gatehouse2\n');
    await list.load();
    expect([await list.has('gatehouse1', []), await list.has('gatehouse2', [])]).to.deep.equal([true, false]);
  });

  it('is refused without a mention of its path or content if unreadable', async () => {
    const directory = join(folder(), 'hunter2-directory');
    mkdirSync(directory);
    const cases: [string, string][] = [
      [join(folder(), 'hunter2-missing'), 'ENOENT'],
      [directory, 'EISDIR'],
      [writeList(Uint8Array.of(0x68, 0x75, 0xff, 0x0a)), 'it is not UTF-8'],
    ];
    for (const [path, cause] of cases) {
      for (const call of [() => makeBlocklist(path).load(), () => makeBlocklist(path).has('hunter2', [])]) {
        const error = await call().catch((reason: unknown) => reason);
        expect(error)
          .to.be.instanceOf(CoreError)
          .and.include({ kind: 'invalid', code: 'unreadable_blocklist' });
        expect(error).to.have.property(
          'message',
          `PASSWORD_BLOCKLIST is not a readable list of passwords: ${cause}.`,
        );
      }
    }
  });

  it('is refused if empty', async () => {
    const error = await makeBlocklist(writeList(' \r\n\n'))
      .load()
      .catch((reason: unknown) => reason);
    expect(error).to.have.property('message').that.includes('it is empty');
  });

  it('is read again after a failed read', async () => {
    const path = join(folder(), 'later');
    const list = makeBlocklist(path);
    expect(await list.load().catch(() => 'refused')).to.equal('refused');
    writeFileSync(path, 'gatehouse1\n');
    expect(await list.has('gatehouse1', [])).to.equal(true);
  });
});
