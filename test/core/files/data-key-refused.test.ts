import { expect } from 'chai';
import fc from 'fast-check';
import { makeDigest } from '../../../adapters/crypto/digest.ts';
import { unavailable } from '../../../core/errors.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { respellings } from '../../support/spellings.ts';
import { type FilesCore, openFilesCore as open } from './open-files-core.ts';

const DEK = Buffer.alloc(32, 9).toString('base64');
const { sha256 } = makeDigest([Buffer.alloc(32)]);

describe('Unwrapping a data key', () => {
  let core: FilesCore;
  let dekEnc: string;
  /** `gd1`, the digest of the context, and the sealed text of the KMS, whose own suites alter it. */
  let parts: readonly string[];

  beforeEach(async () => {
    core = open();
    ({ dekEnc } = await core.files.wrapKey({ dek: DEK, context: 'one' }));
    parts = dekEnc.split('.');
  });

  /** Every refusal is equal, so that a forger learns nothing from it. */
  const expectRefusal = async (altered: string, context: string | null = 'one') => {
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

  it('refuses a key whose prefix or digest is shortened, lengthened or re-encoded', async () => {
    for (const place of [0, 1]) {
      for (const part of respellings(parts[place] ?? '')) await expectRefusal(withPart(place, part));
    }
  });

  it('refuses a key that is truncated or has text before or after it', async () => {
    for (let length = 0; length < dekEnc.length; length += 1) await expectRefusal(dekEnc.slice(0, length));
    for (const extra of ['=', 'A', '.', ' ', '\n', '\0', 'é', dekEnc]) {
      await expectRefusal(dekEnc + extra);
      await expectRefusal(extra + dekEnc);
    }
  });

  it('refuses a key with any character changed', async () => {
    for (let place = 0; place < dekEnc.length; place += 1) {
      const character = dekEnc[place] === 'A' ? 'B' : 'A';
      await expectRefusal(dekEnc.slice(0, place) + character + dekEnc.slice(place + 1));
    }
    await expectRefusal(dekEnc.toUpperCase());
    await expectRefusal(dekEnc.replaceAll('.', ':'));
  });

  it('refuses a key without its context, in another context, or with an extra context', async () => {
    for (const context of [null, 'One', 'one ', 'onf', sha256('one'), 'dek:one']) {
      await expectRefusal(dekEnc, context);
    }
    const { dekEnc: unbound } = await core.files.wrapKey({ dek: DEK });
    await expectRefusal(unbound, 'one');
    await expectRefusal(unbound, sha256(''));
  });

  it('refuses a key whose context digest was replaced, for either context', async () => {
    const withOtherDigest = withPart(1, sha256('two'));
    await expectRefusal(withOtherDigest, 'two');
    await expectRefusal(withOtherDigest, 'one');
    await expectRefusal(withPart(1, sha256('')), null);
  });

  it('refuses a text that the KMS sealed for another purpose', async () => {
    const digest = sha256('one');
    const plain = Buffer.from(DEK);
    for (const context of ['one', digest, `dek:${digest} `, `totp:${digest}`, '']) {
      await expectRefusal(`gd1.${digest}.${await core.world.kms.seal(plain, context)}`);
    }
    await expectRefusal(await core.world.kms.seal(plain, `dek:${digest}`));
  });

  it('refuses a key that is too long or of another context, without a call to the KMS', async () => {
    const openedTexts: string[] = [];
    const { files } = open({
      world: core.world,
      change: ({ kms }) => ({
        kms: {
          ...kms,
          open: (sealed, context) => {
            openedTexts.push(sealed);
            return kms.open(sealed, context);
          },
        },
      }),
    });
    const unwrap = (text: string, context: string) => () => files.unwrapKey({ dekEnc: text, context });
    const refusedCalls = [
      unwrap(dekEnc.padEnd(2_049, 'A'), 'one'),
      unwrap(dekEnc, 'two'),
      unwrap(dekEnc.slice(1), 'one'),
    ];
    for (const call of refusedCalls) expect(await rejectionOf(call)).to.include({ code: 'invalid_enc_dek' });
    expect(openedTexts).to.deep.equal([]);
    // A key of the maximum length and a valid key do reach the KMS.
    expect(await rejectionOf(unwrap(dekEnc.padEnd(2_048, 'A'), 'one'))).to.include({ kind: 'invalid' });
    expect((await files.unwrapKey({ dekEnc, context: 'one' })).dek).to.equal(DEK);
    expect(openedTexts).to.have.length(2);
  });

  it('refuses any other text', () =>
    fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.string({ unit: 'binary' }),
          fc.base64String(),
          fc.array(fc.base64String()).map((parts) => parts.join('.')),
          fc.base64String().map((body) => `gd1.${sha256('one')}.${body}`),
        ),
        (text) => expectRefusal(text),
      ),
    ));

  it('fails with `unavailable` while the KMS is down, because a retry may succeed', async () => {
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
