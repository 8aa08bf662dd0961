import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import fc from 'fast-check';
import { readLines } from '../../../servers/run/follow-worker.ts';

/** Returns the lines that `readLines` passes on from pieces that arrive one by one. */
const readPieces = async (pieces: readonly Uint8Array[]) => {
  const from = new PassThrough();
  const chunks: string[] = [];
  readLines(from, (lines) => chunks.push(lines));
  for (const piece of pieces) {
    from.write(piece);
    await new Promise(setImmediate);
  }
  from.end();
  await once(from, 'end');
  return chunks;
};

describe('The log of a worker', () => {
  it('is passed on in whole lines, even if the pipe splits lines', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', ' '))),
        fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 9 }),
        async (lines, sizes) => {
          const text = lines.map((line) => `${line}\n`).join('');
          const bytes = Buffer.from(text);
          const pieces: Uint8Array[] = [];
          for (let from = 0; from < bytes.length; from += pieces.at(-1)?.length ?? 1)
            pieces.push(bytes.subarray(from, from + (sizes[pieces.length % sizes.length] ?? 1)));
          const chunks = await readPieces(pieces);
          expect(chunks.join('')).to.equal(text);
          for (const chunk of chunks) expect(chunk.endsWith('\n')).to.equal(true);
        },
      ),
      { numRuns: 30 },
    ));

  it('is passed on as it arrives, several lines at once', async () => {
    expect(await readPieces([Buffer.from('one\ntwo\nth'), Buffer.from('ree\n')])).to.deep.equal([
      'one\ntwo\n',
      'three\n',
    ]);
  });

  it('ends with its last whole line after a crash', async () => {
    expect(await readPieces([Buffer.from('one\ntw')])).to.deep.equal(['one\n']);
  });
});
