import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { open, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { BrokenArchive, contentOf, makeTarWriter, readTar } from '../../../adapters/files/tar.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { useTempFolder } from '../../support/temp-folder.ts';

const FILES: readonly (readonly [string, Buffer])[] = [
  ['empty', Buffer.alloc(0)],
  ['objects/a/one.png', Buffer.from('short')],
  ['block', Buffer.alloc(512, 'b')],
  ['long', Buffer.alloc(200_000, 'long ')],
];

describe('An archive of files', () => {
  const folder = useTempFolder();
  const path = () => join(folder(), 'archive.tar');

  const write = async (files = FILES): Promise<readonly string[]> => {
    const file = await open(path(), 'wx');
    const tar = makeTarWriter(file);
    const sums: string[] = [];
    for (const [name, content] of files) sums.push(await tar.add(name, content.length, [content]));
    await tar.end();
    await file.close();
    return sums;
  };

  const read = async () => {
    const members: [string, Buffer][] = [];
    for await (const member of readTar(path())) {
      const parts: Uint8Array[] = [];
      for await (const part of contentOf(path(), member)) parts.push(part);
      members.push([member.name, Buffer.concat(parts)]);
    }
    return members;
  };

  it('gives back what was put in, and tells its SHA-256', async () => {
    const sums = await write();
    expect(await read()).to.deep.equal(FILES);
    const expected = FILES.map(([, content]) => createHash('sha256').update(content).digest('hex'));
    expect(sums).to.deep.equal(expected);
  });

  it('is one that the system’s own tar reads, and the other way round', async () => {
    await write();
    const there = join(folder(), 'unpacked');
    mkdirSync(there);
    expect(spawnSync('tar', ['xf', path(), '-C', there]).status).to.equal(0);
    for (const [name, content] of FILES)
      expect(readFileSync(join(there, name)).equals(content), name).to.equal(true);

    writeFileSync(path(), '');
    const names = FILES.map(([name]) => name);
    const packed = spawnSync('tar', ['cf', path(), '--format=ustar', '-C', there, ...names]);
    expect(packed.status).to.equal(0);
    expect(await read()).to.deep.equal(FILES);
  });

  it('may hold files of more than 8 GiB', async () => {
    const size = 9 * 2 ** 30;
    const file = await open(path(), 'wx');
    // Ends in the middle of the content: the header is what this is about.
    const failure = await rejectionOf(() => makeTarWriter(file).add('huge', size, [Buffer.from('begin')]));
    expect(failure).to.be.instanceOf(RangeError);
    await file.close();
    await truncate(path(), 512 + size);
    const members = readTar(path());
    expect((await members.next()).value).to.deep.equal({ name: 'huge', size, start: 512 });
    await members.return(undefined);
    const listed = spawnSync('tar', ['tvf', path()], { encoding: 'utf8' });
    expect(listed.stdout).to.include(String(size));
  });

  it('takes no file that is longer or shorter than said, and no name that does not fit', async () => {
    const file = await open(path(), 'wx');
    const tar = makeTarWriter(file);
    for (const size of [4, 6]) {
      expect(await rejectionOf(() => tar.add('name', size, [Buffer.from('12345')]))).to.be.instanceOf(
        RangeError,
      );
    }
    expect(await rejectionOf(() => tar.add('x'.repeat(101), 0, []))).to.be.instanceOf(RangeError);
    await file.close();
  });

  it('is known to be broken when it is cut off, damaged, or none at all', async () => {
    await write();
    const archive = readFileSync(path());
    const damaged = Buffer.from(archive);
    damaged.write('X', 512);
    const link = Buffer.from(archive);
    link.write('2', 156);
    for (const bytes of [
      archive.subarray(0, archive.length - 1_024),
      archive.subarray(0, 700),
      Buffer.alloc(0),
      damaged,
      link,
      Buffer.alloc(2_000, 'no tar'),
    ]) {
      writeFileSync(path(), bytes);
      expect(await rejectionOf(read)).to.be.instanceOf(BrokenArchive);
    }
  });
});
