import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import fc from 'fast-check';
import { readLines } from '../../../servers/run/follow-worker.ts';

/** What is handed on of these pieces, read one by one. */
const handedOn = async (pieces: readonly Uint8Array[]) => {
  const from = new PassThrough();
  const passed: string[] = [];
  readLines(from, (lines) => passed.push(lines));
  for (const piece of pieces) {
    from.write(piece);
    await new Promise(setImmediate);
  }
  from.end();
  await once(from, 'end');
  return passed;
};

describe('What a worker logs', () => {
  it('is handed on in whole lines, wherever the pipe cuts it', () =>
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
          const passed = await handedOn(pieces);
          expect(passed.join('')).to.equal(text);
          for (const one of passed) expect(one.endsWith('\n')).to.equal(true);
        },
      ),
      { numRuns: 30 },
    ));

  it('is handed on as it comes, several lines at once', async () => {
    expect(await handedOn([Buffer.from('one\ntwo\nth'), Buffer.from('ree\n')])).to.deep.equal([
      'one\ntwo\n',
      'three\n',
    ]);
  });

  it('ends with its last whole line when a crash cut one off', async () => {
    expect(await handedOn([Buffer.from('one\ntw')])).to.deep.equal(['one\n']);
  });
});
