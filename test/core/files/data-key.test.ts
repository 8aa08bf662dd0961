import { expect } from 'chai';
import fc from 'fast-check';
import { makeDigest } from '../../../adapters/crypto/digest.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { type FilesCore, openFilesCore as open } from './open-files-core.ts';

const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((array) => Buffer.from(array));
const encodedKeys = fc.oneof(
  bytes.map((key) => key.toString('base64')),
  bytes.map((key) => key.toString('base64').replace('=', '')),
  bytes.map((key) => key.toString('base64url')),
  bytes.map((key) => `${key.toString('base64url')}=`),
  bytes.map((key) => key.toString('hex')),
  bytes.map((key) => key.toString('hex').toUpperCase()),
  fc.string({
    unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
    minLength: 32,
    maxLength: 32,
  }),
);
const context = fc.option(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), { nil: undefined });

/** The rule of the product, implemented by decoding instead of by patterns. */
const isDataKey = (text: string): boolean => {
  if (/[^\x20-\x7e]/.test(text)) return false;
  if (text.length === 32) return true;
  if (text.length === 64 && Buffer.from(text, 'hex').length === 32) return true;
  const decoded = Buffer.from(text, 'base64');
  const [plain, url] = [decoded.toString('base64'), decoded.toString('base64url')];
  return decoded.length === 32 && [plain, plain.slice(0, -1), url, `${url}=`].includes(text);
};

describe('A data key', () => {
  let files: FilesCore['files'];

  beforeEach(() => {
    ({ files } = open());
  });

  const wrap = async (dek: string, boundTo?: string) =>
    (await files.wrapKey(boundTo === undefined ? { dek } : { dek, context: boundTo })).dekEnc;
  const unwrap = async (dekEnc: string, boundTo?: string) =>
    (await files.unwrapKey(boundTo === undefined ? { dekEnc } : { dekEnc, context: boundTo })).dek;
  const refusesToWrap = async (dek: string) => {
    expect(isDataKey(dek), JSON.stringify(dek)).to.equal(false);
    expect(await rejectionOf(() => wrap(dek)), JSON.stringify(dek)).to.include({
      kind: 'invalid',
      code: 'invalid_dek',
      message:
        'The data key must be 32 bytes: base64 or base64url of them, 64 hex digits, or 32 printable ASCII characters.',
    });
  };

  it('is unwrapped to exactly the wrapped text, in every encoding of 32 bytes', () =>
    fc.assert(
      fc.asyncProperty(encodedKeys, context, async (dek, boundTo) => {
        expect(isDataKey(dek), dek).to.equal(true);
        expect(await unwrap(await wrap(dek, boundTo), boundTo)).to.equal(dek);
      }),
    ));

  it('is accepted in those encodings only', () =>
    fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ maxLength: 70 }),
          fc.base64String({ minLength: 40, maxLength: 48 }),
          fc.string({ unit: 'binary', minLength: 32, maxLength: 32 }),
          fc
            .tuple(encodedKeys, fc.nat(70), fc.string({ maxLength: 2 }))
            .map(([dek, at, more]) => dek.slice(0, at) + more + dek.slice(at)),
          fc.tuple(encodedKeys, fc.nat(70)).map(([dek, at]) => dek.slice(0, at) + dek.slice(at + 1)),
        ),
        async (text) => {
          if (isDataKey(text)) expect(await unwrap(await wrap(text))).to.equal(text);
          else await refusesToWrap(text);
        },
      ),
      { numRuns: 300 },
    ));

  it('has no bits after its 32 bytes and uses one base64 alphabet', async () => {
    const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
    const lasts = [...ALPHABET].filter((last) => isDataKey(`${'A'.repeat(42)}${last}`));
    expect(lasts.join('')).to.equal('AEIMQUYcgkosw048');
    for (const last of ALPHABET) {
      const text = `${'A'.repeat(42)}${last}=`;
      if (lasts.includes(last)) expect(await unwrap(await wrap(text))).to.equal(text);
      else await refusesToWrap(text);
    }
    await refusesToWrap(`+${'A'.repeat(40)}_A`);
  });

  it('contains, once wrapped, the digest of its context, or of the empty text', async () => {
    const dek = 'a'.repeat(32);
    const { sha256 } = makeDigest([Buffer.alloc(32)]);
    expect(await wrap(dek)).to.match(new RegExp(`^gd1\\.${sha256('')}\\.`));
    expect(await wrap(dek, 'a')).to.match(new RegExp(`^gd1\\.${sha256('a')}\\.`));
  });

  it('is refused if it is empty, too short, too long, badly padded or not ASCII', async () => {
    const zeros = 'A'.repeat(43);
    const wrong = [
      '',
      ' ',
      zeros.slice(1),
      `${zeros}==`,
      `${zeros}A`,
      `${zeros}\n`,
      ` ${zeros}`,
      `=${zeros}`,
    ];
    const hex = '0'.repeat(64);
    const others = [
      hex.slice(1),
      `${hex}0`,
      `0x${hex.slice(2)}`,
      `${hex.slice(1)}g`,
      'a'.repeat(31),
      'a'.repeat(33),
    ];
    const odd = [
      'é'.repeat(32),
      'é'.repeat(16),
      `${'a'.repeat(31)}\t`,
      `${'a'.repeat(31)}\x7f`,
      '\0'.repeat(32),
    ];
    const big = ['a'.repeat(1_000_000), 'A'.repeat(44), `${hex}${hex}`];
    for (const dek of [...wrong, ...others, ...odd, ...big]) await refusesToWrap(dek);
  });

  it('can consist of zeros or ones only', async () => {
    for (const fill of [0, 255]) {
      const key = Buffer.alloc(32, fill);
      for (const dek of [key.toString('base64'), key.toString('hex')]) {
        expect(await unwrap(await wrap(dek))).to.equal(dek);
      }
    }
  });

  it('is wrapped differently each time, and fits a record and a header', async () => {
    const dek = 'a'.repeat(64);
    const many = await Promise.all(Array.from({ length: 100 }, () => wrap(dek)));
    expect(new Set(many).size).to.equal(100);
    for (const dekEnc of many)
      expect(dekEnc)
        .to.match(/^[\x21-\x7e]{1,2048}$/)
        .and.not.contain(dek);
  });

  it('is unwrapped in its context only', () =>
    fc.assert(
      fc.asyncProperty(encodedKeys, context, context, async (dek, boundTo, other) => {
        fc.pre(boundTo !== other);
        const dekEnc = await wrap(dek, boundTo);
        expect(await rejectionOf(() => unwrap(dekEnc, other))).to.include({ code: 'invalid_enc_dek' });
      }),
    ));

  it('has an optional context of 1 to 256 characters without lone surrogates', async () => {
    const dek = 'a'.repeat(32);
    const longest = '\u{1f511}'.repeat(256);
    expect(await unwrap(await wrap(dek, longest), longest)).to.equal(dek);
    const error = await rejectionOf(() => wrap(dek, `${longest}a`));
    expect(error).to.have.property('message', "'context' must have 1 to 256 characters.");
    const dekEnc = await wrap(dek);
    for (const invalid of ['', `${longest}a`, 'a'.repeat(257), '\ud800', 'a\udc00', 'a'.repeat(1_000_000)]) {
      for (const call of [() => wrap(dek, invalid), () => unwrap(dekEnc, invalid)]) {
        expect(await rejectionOf(call)).to.include({ kind: 'invalid', code: 'invalid_request' });
      }
    }
  });
});
