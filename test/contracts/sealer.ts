import { expect } from 'chai';
import fc from 'fast-check';
import type { Sealer } from '../../core/ports.ts';
import { respellings, withEachBitFlipped } from '../support/spellings.ts';

const OLD = new Uint8Array(32).fill(7);
const NEW = new Uint8Array(32).fill(8);

export const testSealer = (name: string, make: (hashKeys: readonly Uint8Array[]) => Sealer): void => {
  describe(`Sealer: ${name}`, () => {
    it('opens every text that it sealed if the context is equal', () => {
      const sealer = make([OLD]);
      const text = fc.string({ unit: 'grapheme', maxLength: 300 });
      fc.assert(
        fc.property(text, text, (plain, context) => {
          expect(sealer.open(sealer.seal(plain, context), context)).to.equal(plain);
        }),
      );
    });

    it('seals the same text differently each time', () => {
      const sealer = make([OLD]);
      expect(sealer.seal('482913', 'mail:1')).to.not.equal(sealer.seal('482913', 'mail:1'));
    });

    it('returns undefined in another context', () => {
      const sealer = make([OLD]);
      const sealed = sealer.seal('482913', 'mail:1');
      for (const context of ['', 'mail:2', 'mail:11', 'mail:']) {
        expect(sealer.open(sealed, context)).to.equal(undefined);
      }
    });

    it('seals with the newest key and opens with every key that it has', () => {
      const before = make([OLD]).seal('482913', 'mail:1');
      const both = make([NEW, OLD]);
      expect(both.open(before, 'mail:1')).to.equal('482913');
      expect(make([NEW]).open(both.seal('482913', 'mail:1'), 'mail:1')).to.equal('482913');
      expect(make([NEW]).open(before, 'mail:1')).to.equal(undefined);
    });

    it('returns undefined if any bit is changed', () => {
      const sealer = make([NEW, OLD]);
      for (const changed of withEachBitFlipped(sealer.seal('482913', 'mail:1'))) {
        expect(sealer.open(changed, 'mail:1')).to.equal(undefined);
      }
    });

    it('returns undefined for a text that was shortened, lengthened or re-encoded', () => {
      const sealer = make([OLD]);
      for (const text of ['', '4', '48', '482']) {
        const sealed = sealer.seal(text, 'mail:1');
        for (const other of respellings(sealed)) expect(sealer.open(other, 'mail:1')).to.equal(undefined);
      }
    });

    it('returns undefined for any other text', () => {
      const sealer = make([OLD]);
      fc.assert(
        fc.property(fc.oneof(fc.string(), fc.base64String({ maxLength: 200 })), (text) => {
          expect(sealer.open(text, 'mail:1')).to.equal(undefined);
        }),
      );
    });
  });
};
