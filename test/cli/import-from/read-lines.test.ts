import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { readLines } from '../../../cli/import-from/split-rows.ts';
import { useTempFolder } from '../../support/temp-folder.ts';

describe('The lines of a file', () => {
  const folder = useTempFolder();
  const read = async (content: string | Uint8Array) => {
    const path = join(folder(), 'file');
    writeFileSync(path, content);
    let bytes = 0;
    const lines: (string | undefined)[] = [];
    for await (const line of readLines(path, (count) => (bytes += count))) lines.push(line);
    return { lines, bytes };
  };

  it('are read whole across the chunks of the file', async () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 30 }).filter((text) => !/[\n\ufeff]/.test(text));
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1 }), fc.nat(40_000), async (lines, pad) => {
        // The file is read in chunks of 64 KiB: the padding moves the lines across the end of a chunk.
        const padding = ['x'.repeat(pad), 'y'.repeat(30_000)];
        const text = [...padding, ...lines].join('\n');
        const result = await read(`${text}\n`);
        expect(result.lines).to.deep.equal([...padding, ...lines]);
        expect(result.bytes).to.equal(Buffer.byteLength(text) + 1);
      }),
      { numRuns: 30 },
    );
  });

  it('are undefined if they are too long or not UTF-8, and the others are read', async () => {
    const long = 'x'.repeat(300_000);
    expect((await read(`a\n${long}\nb\n`)).lines).to.deep.equal(['a', undefined, 'b']);
    const bad = Buffer.concat([Buffer.from('a\n'), Buffer.from([0xff, 0xfe]), Buffer.from('\nb')]);
    expect((await read(bad)).lines).to.deep.equal(['a', undefined, 'b']);
    expect((await read(long)).lines).to.deep.equal([undefined]);
  });
});
