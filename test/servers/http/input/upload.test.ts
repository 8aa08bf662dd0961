import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { uploadSize } from '../../../../servers/http/input/upload.ts';

const MIB = 1_048_576;
/** Bytes that a form may have in addition to the file. */
const FORM_OVERHEAD = 16_384;

describe('The memory that an upload reserves', () => {
  const sizeOf = (headers: Readonly<Record<string, string>>) =>
    uploadSize({ headers } as unknown as IncomingMessage, { field: 'avatar', longest: 2 * MIB });

  it('is the Content-Length of the body, but at most the size of the largest form', () => {
    expect(sizeOf({ 'content-length': '1000' })).to.equal(1_000);
    expect(sizeOf({ 'content-length': `${2 * MIB + FORM_OVERHEAD}` })).to.equal(2 * MIB + FORM_OVERHEAD);
    expect(sizeOf({ 'content-length': `${40 * MIB}` })).to.equal(2 * MIB + FORM_OVERHEAD);
    expect(sizeOf({})).to.equal(2 * MIB + FORM_OVERHEAD);
  });

  it('covers a compressed body and its decompressed form', () => {
    const compressed = { 'content-encoding': 'gzip', 'content-length': '1000' };
    expect(sizeOf(compressed)).to.equal(1_000 + 2 * MIB + FORM_OVERHEAD);
  });
});
