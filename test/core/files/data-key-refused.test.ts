import { expect } from 'chai';
import fc from 'fast-check';
import { makeDigest } from '../../../adapters/crypto/digest.ts';
import { unavailable } from '../../../core/errors.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { respellings, withEachBitFlipped } from '../../support/spellings.ts';
import { type FilesCore, openFilesCore as open } from './open-files-core.ts';

const DEK = Buffer.alloc(32, 9).toString('base64');
const { sha256 } = makeDigest([Buffer.alloc(32)]);

describe('A wrapped data key is refused', () => {
  let core: FilesCore;
  let dekEnc: string;
  /** `gd1`, the digest of the context, and the parts that the KMS wrote. */
  let parts: readonly [string, string, string, string, string, string];

  beforeEach(async () => {
    core = open();
    ({ dekEnc } = await core.files.wrapKey({ dek: DEK, context: 'one' }));
    const [form = '', digest = '', version = '', id = '', nonce = '', body = ''] = dekEnc.split('.');
    parts = [form, digest, version, id, nonce, body];
  });

  /** All alike: nothing tells a forger how near it was. */
  const refuses = async (altered: string, context: string | null = 'one') => {
    const input = context === null ? { dekEnc: altered } : { dekEnc: altered, context };
    const error = await rejectionOf(() => core.files.unwrapKey(input));
    expect(error, JSON.stringify(altered)).to.include({
      kind: 'invalid',
      code: 'invalid_enc_dek',
      message: 'The wrapped data key was not wrapped here for this context.',
    });
  };
  const withPart = (place: number, part: string) =>
    parts.map((original, at) => (at === place ? part : original)).join('.');

  it('with any bit of its digest, nonce, ciphertext or tag flipped', async () => {
    for (const place of [1, 4, 5]) {
      const flipped = withEachBitFlipped(parts[place] ?? '');
      expect(flipped.length).to.be.at.least(96);
      for (const part of flipped) await refuses(withPart(place, part));
    }
  });

  it('with any part in another spelling, cut short or made longer', async () => {
    for (const place of parts.keys()) {
      for (const part of respellings(parts[place] ?? '')) await refuses(withPart(place, part));
    }
  });

  it('cut short anywhere, or with anything before or behind it', async () => {
    for (let length = 0; length < dekEnc.length; length += 1) await refuses(dekEnc.slice(0, length));
    for (const more of ['=', 'A', '.', ' ', '\n', '\0', 'é', dekEnc]) {
      await refuses(dekEnc + more);
      await refuses(more + dekEnc);
    }
  });

  it('with any character changed', async () => {
    for (let place = 0; place < dekEnc.length; place += 1) {
      const character = dekEnc[place] === 'A' ? 'B' : 'A';
      await refuses(dekEnc.slice(0, place) + character + dekEnc.slice(place + 1));
    }
    await refuses(dekEnc.toUpperCase());
    await refuses(dekEnc.replaceAll('.', ':'));
  });

  it('without its context, in another one, and with a context when it has none', async () => {
    for (const context of [null, 'One', 'one ', 'onf', sha256('one'), 'dek:one']) {
      await refuses(dekEnc, context);
    }
    const { dekEnc: free } = await core.files.wrapKey({ dek: DEK });
    await refuses(free, 'one');
    await refuses(free, sha256(''));
  });

  it('with the digest of another context put in, whichever context is given', async () => {
    const swapped = withPart(1, sha256('two'));
    await refuses(swapped, 'two');
    await refuses(swapped, 'one');
    await refuses(withPart(1, sha256('')), null);
  });

  it('with parts of another one, even of the same key and context', async () => {
    const { dekEnc: second } = await core.files.wrapKey({ dek: DEK, context: 'one' });
    const others = second.split('.');
    for (const place of [4, 5]) await refuses(withPart(place, others[place] ?? ''));
  });

  it('when it is what the KMS sealed for another purpose', async () => {
    const digest = sha256('one');
    const plain = Buffer.from(DEK);
    for (const context of ['one', digest, `dek:${digest} `, `totp:${digest}`, '']) {
      await refuses(`gd1.${digest}.${await core.world.kms.seal(plain, context)}`);
    }
    await refuses(await core.world.kms.seal(plain, `dek:${digest}`));
  });

  it('when another service wrapped it, or its key is not in the ring', async () => {
    const { dekEnc: foreign } = await open().files.wrapKey({ dek: DEK, context: 'one' });
    await refuses(foreign);
    await refuses(withPart(3, foreign.split('.')[3] ?? ''));
    for (const id of ['', 'x', '0'.repeat(16), '../keys', 'a'.repeat(65), 'constructor'])
      await refuses(withPart(3, id));
  });

  it('when nonce, ciphertext or tag are empty, all zeros, or of other lengths', async () => {
    const zeros = (count: number) => Buffer.alloc(count).toString('base64url');
    for (const count of [0, 1, 8, 11, 12, 13, 16, 64, 256]) await refuses(withPart(4, zeros(count)));
    for (const count of [0, 1, 12, 15, 16, 17, 60, 1_000]) await refuses(withPart(5, zeros(count)));
    const tagless = Buffer.from(parts[5], 'base64url').subarray(0, -16);
    await refuses(withPart(5, tagless.toString('base64url')));
    for (const length of [4, 8, 12, 15]) {
      const short = Buffer.from(parts[5], 'base64url').subarray(0, tagless.length + length);
      await refuses(withPart(5, short.toString('base64url')));
    }
  });

  it('when it is longer than a record takes, before anything is decoded', async () => {
    for (const length of [2_049, 1_000_000]) await refuses(dekEnc.padEnd(length, 'A'));
  });

  it('when it is too long or of another context, without a call to the KMS', async () => {
    const openings: string[] = [];
    const { files } = open({
      world: core.world,
      change: ({ kms }) => ({
        kms: {
          ...kms,
          open: (sealed, context) => {
            openings.push(sealed);
            return kms.open(sealed, context);
          },
        },
      }),
    });
    const unwrap = (text: string, context: string) => () => files.unwrapKey({ dekEnc: text, context });
    const withoutCall = [
      unwrap(dekEnc.padEnd(2_049, 'A'), 'one'),
      unwrap(dekEnc, 'two'),
      unwrap(dekEnc.slice(1), 'one'),
    ];
    for (const call of withoutCall) expect(await rejectionOf(call)).to.include({ code: 'invalid_enc_dek' });
    expect(openings).to.deep.equal([]);
    // The longest that a record takes is asked about, and so is one that opens.
    expect(await rejectionOf(unwrap(dekEnc.padEnd(2_048, 'A'), 'one'))).to.include({ kind: 'invalid' });
    expect((await files.unwrapKey({ dekEnc, context: 'one' })).dek).to.equal(DEK);
    expect(openings).to.have.length(2);
  });

  it('when it is any other text', () =>
    fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.string({ unit: 'binary' }),
          fc.base64String(),
          fc.array(fc.base64String()).map((some) => some.join('.')),
          fc.base64String().map((some) => `gd1.${sha256('one')}.${some}`),
        ),
        (text) => refuses(text),
      ),
    ));

  it('but not while the KMS is down: that may be tried again', async () => {
    const down = async () => {
      throw unavailable('kms_unavailable', 'The key service is down.');
    };
    const { files } = open({ change: ({ kms }) => ({ kms: { ...kms, seal: down, open: down } }) });
    const calls = [
      () => files.wrapKey({ dek: DEK }),
      () => files.unwrapKey({ dekEnc, context: 'one' }),
      () => files.wrapKeys([{ dek: DEK }]),
    ];
    for (const call of calls) expect(await rejectionOf(call)).to.include({ kind: 'unavailable' });
    expect(await rejectionOf(() => files.unwrapKey({ dekEnc: 'x' }))).to.include({ kind: 'invalid' });
  });
});
