import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { chooseEncoding, makePackedFiles } from '../../../servers/http/packed-files.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { useTempFolder } from '../../support/temp-folder.ts';

describe('Files compressed by the build', () => {
  const folder = useTempFolder();

  for (const [header, encoding] of [
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP', 'gzip'],
    ['br;q=0.1, gzip', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br; q=0.000, gzip;q=0.5', 'gzip'],
    ['gzip;q=0', undefined],
    ['identity', undefined],
    ['', undefined],
  ] as const)
    it(`are sent as ${encoding ?? 'identity'} for Accept-Encoding: ${header || '(empty)'}`, () => {
      expect(chooseEncoding(header, ['br', 'gzip'])).to.equal(encoding);
    });

  it('are read again after a failure, and then cached', async () => {
    const readFile = makePackedFiles(pathToFileURL(`${folder()}/`), ['gzip']);
    expect(await rejectionOf(() => readFile('a.js', 'gzip'))).to.include({ code: 'ENOENT' });
    const compressedFile = join(folder(), 'a.js.gz');
    writeFileSync(compressedFile, gzipSync('first'));
    expect((await readFile('a.js')).body?.toString()).to.equal('first');
    writeFileSync(compressedFile, gzipSync('second'));
    expect((await readFile('a.js')).body?.toString()).to.equal('first');
  });
});
