import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeChecksums, readChecksums } from '../../../adapters/installation/checksums.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { useTempFolder } from '../../support/temp-folder.ts';

describe('The checksums of a backup', () => {
  const folder = useTempFolder();
  const FILES = Array.from({ length: 2_500 }, (_, number) => ({
    name: `objects/user-${number}/avatar_${number}.png`,
    sum: number.toString(16).padStart(64, '0'),
  }));
  const listOf = (files: readonly { readonly name: string; readonly sum: string }[]) =>
    files.map(({ name, sum }) => `${sum}  ${name}\n`).join('');

  let sums: ReturnType<typeof makeChecksums>;
  beforeEach(() => {
    sums = makeChecksums(join(folder(), 'sums'));
    for (const { name, sum } of FILES) sums.add(name, sum);
  });
  afterEach(() => sums.close());

  const read = async (text: string) => {
    const list = join(folder(), 'list');
    writeFileSync(list, text);
    const files: { name: string; sum: string }[] = [];
    for await (const file of readChecksums(list)) files.push(file);
    return files;
  };

  it('are written in parts with a known total length', () => {
    const parts = [...sums.list()];
    expect(parts.length).to.be.greaterThan(2);
    expect(Math.max(...parts.map(({ length }) => length))).to.be.lessThan(2 ** 18);
    expect(Buffer.concat(parts).toString()).to.equal(listOf(FILES));
    expect(sums.bytes()).to.equal(Buffer.concat(parts).length);
  });

  it('are read in parts, also across their boundaries', async () => {
    expect(await read(listOf(FILES))).to.deep.equal(FILES);
  });

  it('are accepted once each, in any order and only with the right sum', () => {
    const [first, ...others] = FILES.toReversed();
    expect(sums.take(String(first?.name), 'another')).to.equal(false);
    for (const { name, sum } of others) expect(sums.take(name, sum)).to.equal(true);
    expect(sums.isEmpty()).to.equal(false);
    expect(sums.take(String(first?.name), String(first?.sum))).to.equal(true);
    expect(sums.isEmpty()).to.equal(true);
    expect(sums.take(String(first?.name), String(first?.sum))).to.equal(false);
  });

  it('are refused if a line is too long or truncated', async () => {
    for (const text of ['x'.repeat(2 ** 20), `${'x'.repeat(2_000)}\n`, listOf(FILES).slice(0, -1)])
      expect(await rejectionOf(() => read(text))).to.have.property('name', 'BrokenArchive');
  });
});
