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
  const listed = (files: readonly { readonly name: string; readonly sum: string }[]) =>
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

  it('are written in parts, whose length is known before', () => {
    const parts = [...sums.list()];
    expect(parts.length).to.be.greaterThan(2);
    expect(Math.max(...parts.map(({ length }) => length))).to.be.lessThan(2 ** 18);
    expect(Buffer.concat(parts).toString()).to.equal(listed(FILES));
    expect(sums.bytes()).to.equal(Buffer.concat(parts).length);
  });

  it('are read in parts, whatever lies across two of them', async () => {
    expect(await read(listed(FILES))).to.deep.equal(FILES);
  });

  it('are taken once each, in any order, and only with the same sum', () => {
    const [first, ...others] = FILES.toReversed();
    expect(sums.take(String(first?.name), 'another')).to.equal(false);
    for (const { name, sum } of others) expect(sums.take(name, sum)).to.equal(true);
    expect(sums.isEmpty()).to.equal(false);
    expect(sums.take(String(first?.name), String(first?.sum))).to.equal(true);
    expect(sums.isEmpty()).to.equal(true);
    expect(sums.take(String(first?.name), String(first?.sum))).to.equal(false);
  });

  it('are no list with a line that is too long or cut off', async () => {
    for (const text of ['x'.repeat(2 ** 20), `${'x'.repeat(2_000)}\n`, listed(FILES).slice(0, -1)])
      expect(await rejectionOf(() => read(text))).to.have.property('name', 'BrokenArchive');
  });
});
