import { expect } from 'chai';
import fc from 'fast-check';
import { makeDigest } from '../../../adapters/crypto/digest.ts';
import { unavailable } from '../../../core/errors.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { respellings } from '../../support/spellings.ts';
import { type FilesCore, openFilesCore as open } from './open-files-core.ts';

const DEK = Buffer.alloc(32, 9).toString('base64');
const { sha256 } = makeDigest([Buffer.alloc(32)]);

describe('A wrapped data key is refused', () => {
  let core: FilesCore;
  let dekEnc: string;
  /** `gd1`, the digest of the context, and the parts that the KMS wrote, whose own suites alter them. */
  let parts: readonly string[];

  beforeEach(async () => {
    core = open();
    ({ dekEnc } = await core.files.wrapKey({ dek: DEK, context: 'one' }));
    parts = dekEnc.split('.');
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

  it('with its form or its digest in another spelling, cut short or made longer', async () => {
    for (const place of [0, 1]) {
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

  it('when it is what the KMS sealed for another purpose', async () => {
    const digest = sha256('one');
    const plain = Buffer.from(DEK);
    for (const context of ['one', digest, `dek:${digest} `, `totp:${digest}`, '']) {
      await refuses(`gd1.${digest}.${await core.world.kms.seal(plain, context)}`);
    }
    await refuses(await core.world.kms.seal(plain, `dek:${digest}`));
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
