import { expect } from 'chai';
import fc from 'fast-check';
import { CoreError } from '../../core/errors.ts';
import type { Kms } from '../../core/ports.ts';

const SECRET = new TextEncoder().encode('twenty bytes of key.');

/** Expects the rejection that the port specifies for a text that cannot be opened. */
export const expectInvalidSealed = async (opening: Promise<unknown>): Promise<void> => {
  const outcome = await opening.then(
    (value) => ({ opened: value }),
    (error: unknown) => error,
  );
  expect(outcome).to.be.instanceOf(CoreError);
  expect(outcome).to.include({ kind: 'invalid', code: 'invalid_sealed' });
};

/** The positions at which the suite changes a sealed text: all of them, or only some for a slow service. */
export type Places = (sealed: string) => readonly number[];

const everyPlace: Places = (sealed) => Array.from({ length: sealed.length }, (_, place) => place);

/** About `count` positions, evenly spread. */
export const somePlaces =
  (count: number): Places =>
  (sealed) => {
    const step = Math.max(1, Math.floor(sealed.length / count));
    return everyPlace(sealed).filter((place) => place % step === 0);
  };

export const testKms = (name: string, make: () => Promise<Kms>, places: Places = everyPlace): void => {
  describe(`Kms: ${name}`, () => {
    it('opens every secret that it sealed if the context is equal', async () => {
      const kms = await make();
      for (const plain of [new Uint8Array(0), SECRET, new Uint8Array(4000).fill(255)]) {
        for (const context of ['', 'totp:1', 'zażółć \u{1f511}', 'x'.repeat(1000)]) {
          expect(await kms.open(await kms.seal(plain, context), context)).to.deep.equal(plain);
        }
      }
    });

    it('returns text that is valid in JSON, a header and a file name', async () => {
      expect(await (await make()).seal(SECRET, 'totp:1')).to.match(/^[\x21-\x7e]{1,2048}$/);
    });

    it('seals the same secret differently each time', async () => {
      const kms = await make();
      expect(await kms.seal(SECRET, 'totp:1')).to.not.equal(await kms.seal(SECRET, 'totp:1'));
    });

    it('names the current key as the key of a new sealed text, and no key for other texts', async () => {
      const kms = await make();
      const sealed = await kms.seal(SECRET, 'totp:1');
      expect(kms.keyOf(sealed)).to.equal(await kms.current());
      for (const other of ['', 'a', `${sealed}=`, `${sealed}.`, ` ${sealed}`, `x${sealed}`, `${sealed}\n`]) {
        expect(kms.keyOf(other), other).to.equal(undefined);
      }
    });

    it('rejects a sealed text in another context', async () => {
      const kms = await make();
      const sealed = await kms.seal(SECRET, 'totp:1');
      for (const context of ['', 'totp:2', 'totp:11', 'totp:1 ', 'TOTP:1']) {
        await expectInvalidSealed(kms.open(sealed, context));
      }
    });

    it('rejects a sealed text that was shortened or lengthened', async () => {
      const kms = await make();
      const sealed = await kms.seal(SECRET, 'totp:1');
      for (const length of places(sealed)) {
        await expectInvalidSealed(kms.open(sealed.slice(0, length), 'totp:1'));
      }
      for (const more of ['=', 'A', 'AA', 'AAAA', '.', ' ', '\n', '\0']) {
        await expectInvalidSealed(kms.open(sealed + more, 'totp:1'));
        await expectInvalidSealed(kms.open(more + sealed, 'totp:1'));
      }
    });

    it('rejects a sealed text with a changed character', async () => {
      const kms = await make();
      const sealed = await kms.seal(SECRET, 'totp:1');
      for (const place of places(sealed)) {
        const other = sealed[place] === 'A' ? 'B' : 'A';
        await expectInvalidSealed(
          kms.open(sealed.slice(0, place) + other + sealed.slice(place + 1), 'totp:1'),
        );
      }
    });

    it('rejects any other text', async () => {
      const kms = await make();
      const text = fc.oneof(
        fc.string(),
        fc.base64String(),
        fc.array(fc.base64String()).map((parts) => parts.join('.')),
      );
      await fc.assert(fc.asyncProperty(text, (other) => expectInvalidSealed(kms.open(other, 'totp:1'))));
    });
  });
};
