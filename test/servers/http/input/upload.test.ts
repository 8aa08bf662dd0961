import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { uploadSize } from '../../../../servers/http/input/upload.ts';

const MIB = 1_048_576;
/** Bytes that a form may have beside the file. */
const BESIDE = 16_384;

describe('The memory that an upload reserves', () => {
  const sizeOf = (headers: Readonly<Record<string, string>>) =>
    uploadSize({ headers } as unknown as IncomingMessage, { field: 'avatar', longest: 2 * MIB });

  it('is the stated length of the body, and at most that of the largest form', () => {
    expect(sizeOf({ 'content-length': '1000' })).to.equal(1_000);
    expect(sizeOf({ 'content-length': `${2 * MIB + BESIDE}` })).to.equal(2 * MIB + BESIDE);
    expect(sizeOf({ 'content-length': `${40 * MIB}` })).to.equal(2 * MIB + BESIDE);
    expect(sizeOf({})).to.equal(2 * MIB + BESIDE);
  });

  it('covers a compressed body and what it decompresses to', () => {
    const compressed = { 'content-encoding': 'gzip', 'content-length': '1000' };
    expect(sizeOf(compressed)).to.equal(1_000 + 2 * MIB + BESIDE);
  });
});
