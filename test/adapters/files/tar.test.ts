import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { open, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createTarPacker } from 'modern-tar';
import { BrokenArchive, makeTarWriter, readTar } from '../../../adapters/files/tar.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { useTempFolder } from '../../support/temp-folder.ts';

/** Two files written by version 0.1.0, and the header of a 9 GiB file with its size in GNU tar's format. */
const EARLIER =
  'H4sIAAAAAAACA+3TSw5AQBAE0D6KE1Djd59Bh0iYiWkLt5dYCWtDot+maler6q3w4NbAadfQQwCgBo7EPQFUpw6CQZ4XlIAiWIPYhRBl64OCuIVJ/ZVrRm4lZDbjycuW+rl/4f+XbkxZQv+vlFJP2gHn+HYxAAoAAA==';
const EARLIER_HUGE =
  'H4sIAAAAAAACA8soTU9loDEwMDAwMDMwANMGSHQDRJrJAaoGIW9mYGbAoGDAQAdQWlySWMRgQBe7BiEAAJrwhecAAgAA';

const FILES: readonly (readonly [string, Buffer])[] = [
  ['empty', Buffer.alloc(0)],
  ['objects/a/one.png', Buffer.from('short')],
  ['block', Buffer.alloc(512, 'b')],
  ['long', Buffer.alloc(1_000_000, 'long ')],
];

describe('A tar archive', () => {
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
      for await (const part of member.content) parts.push(part);
      members.push([member.name, Buffer.concat(parts)]);
    }
    return members;
  };

  const firstMember = async () => {
    for await (const member of readTar(path())) return member;
    throw new Error('The archive is empty.');
  };

  it('returns its files unchanged, with their SHA-256', async () => {
    const sums = await write();
    expect(await read()).to.deep.equal(FILES);
    const expected = FILES.map(([, content]) => createHash('sha256').update(content).digest('hex'));
    expect(sums).to.deep.equal(expected);
  });

  it('is interchangeable with archives of the system’s tar', async () => {
    await write();
    const unpacked = join(folder(), 'unpacked');
    mkdirSync(unpacked);
    expect(spawnSync('tar', ['xf', path(), '-C', unpacked]).status).to.equal(0);
    for (const [name, content] of FILES)
      expect(readFileSync(join(unpacked, name)).equals(content), name).to.equal(true);

    writeFileSync(path(), '');
    const names = FILES.map(([name]) => name);
    const packed = spawnSync('tar', ['cf', path(), '--format=ustar', '-C', unpacked, ...names]);
    expect(packed.status).to.equal(0);
    expect(await read()).to.deep.equal(FILES);
  });

  it('can contain files of more than 8 GiB', async () => {
    const size = 9 * 2 ** 30;
    const { readable, controller } = createTarPacker();
    controller.add({ name: 'huge', size });
    const reader = readable.getReader();
    // The large size has a header and a block of its own, before the header of the file.
    let header = Buffer.alloc(0);
    while (header.length < 3 * 512)
      header = Buffer.concat([header, (await reader.read()).value ?? Buffer.alloc(0)]);
    writeFileSync(path(), header);
    await truncate(path(), header.length + size);
    expect(await firstMember()).to.include({ name: 'huge', size });
    const listed = spawnSync('tar', ['tvf', path()], { encoding: 'utf8' });
    expect(listed.stdout).to.include(String(size));
  });

  it('is readable if version 0.1.0 wrote it', async () => {
    writeFileSync(path(), gunzipSync(Buffer.from(EARLIER, 'base64')));
    expect(await read()).to.deep.equal([
      ['gatehouse.db', Buffer.from('store')],
      ['objects/a/empty.png', Buffer.alloc(0)],
    ]);
    const header = gunzipSync(Buffer.from(EARLIER_HUGE, 'base64'));
    writeFileSync(path(), header);
    await truncate(path(), header.length + 9 * 2 ** 30);
    expect(await firstMember()).to.include({ name: 'huge', size: 9 * 2 ** 30 });
  });

  it('skips members whose content is not read, and returns the others in full', async () => {
    await write();
    const sizes: [string, number][] = [];
    for await (const { name, content } of readTar(path())) {
      if (name === 'objects/a/one.png') continue;
      let size = 0;
      for await (const part of content) size += part.length;
      sizes.push([name, size]);
    }
    expect(sizes).to.deep.equal([
      ['empty', 0],
      ['block', 512],
      ['long', 1_000_000],
    ]);
  });

  it('refuses a file that is longer or shorter than its declared size', async () => {
    for (const size of [4, 6]) {
      const file = await open(path(), 'w');
      const failure = await rejectionOf(() => makeTarWriter(file).add('name', size, [Buffer.from('12345')]));
      expect(failure).to.be.instanceOf(Error);
      await file.close();
    }
  });

  it('fails with ENOSPC on a full disk', async () => {
    const full = await open('/dev/full', 'w');
    const tar = makeTarWriter(full);
    const failure = await rejectionOf(async () => {
      await tar.add('name', 5, [Buffer.from('12345')]);
      await tar.end();
    });
    expect(failure).to.have.property('code', 'ENOSPC');
    await full.close();
  });

  it('is refused if it contains a link, a folder or a device', async () => {
    symlinkSync('/etc/passwd', join(folder(), 'link'));
    mkdirSync(join(folder(), 'sub'));
    for (const name of ['link', 'sub', '/dev/null']) {
      const packed = spawnSync('tar', ['cf', path(), '-P', '-C', folder(), name]);
      expect(packed.status).to.equal(0);
      const failure = await rejectionOf(read);
      expect(failure).to.be.instanceOf(BrokenArchive);
      expect(failure).to.have.property('message').that.includes('other than files');
    }
  });

  it('is refused if it is truncated, damaged, empty or not a tar file', async () => {
    await write();
    const archive = readFileSync(path());
    const damaged = Buffer.from(archive);
    damaged.write('X', 512);
    for (const bytes of [
      archive.subarray(0, archive.length - 1_024),
      archive.subarray(0, 700),
      Buffer.alloc(0),
      damaged,
      Buffer.alloc(2_000, 'no tar'),
    ]) {
      writeFileSync(path(), bytes);
      expect(await rejectionOf(read)).to.be.instanceOf(BrokenArchive);
    }
  });
});
