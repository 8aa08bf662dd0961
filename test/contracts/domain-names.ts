import { expect } from 'chai';
import fc from 'fast-check';
import type { DomainNames } from '../../core/accounts/ports.ts';

const LONGEST = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`;

const VALID: Readonly<Record<string, string>> = {
  'example.com': 'example.com',
  'EXAMPLE.Com': 'example.com',
  'a.b': 'a.b',
  '3com.com': '3com.com',
  'ab--cd.com': 'ab--cd.com',
  'files.drop.example.co.uk': 'files.drop.example.co.uk',
  'bücher.de': 'xn--bcher-kva.de',
  'BÜCHER.de': 'xn--bcher-kva.de',
  'bu\u0308cher.de': 'xn--bcher-kva.de',
  'XN--BCHER-KVA.de': 'xn--bcher-kva.de',
  'faß.de': 'xn--fa-hia.de',
  'żółć.pl': 'xn--kda4b0koi.pl',
  'ＥＸＡＭＰＬＥ。com': 'example.com',
  'exa\u00admple.com': 'example.com',
  'президент.рф': 'xn--d1abbgf6aiiy.xn--p1ai',
  [LONGEST]: LONGEST,
};

const INVALID: readonly string[] = [
  ...['', '.', 'com', 'localhost', '.com', 'example.', 'example.com.', 'example..com', 'example.com。'],
  ...[
    '-a.com',
    'a-.com',
    'a_b.com',
    'a b.com',
    ' example.com',
    'example.com ',
    'a\tb.com',
    'a\nb.com',
    'a\0.com',
  ],
  ...['a/b.com', 'example.com/x', 'user@example.com', 'example.com:80', 'ex%61mple.com', 'ex％61mple.com'],
  ...[
    'example.com?x',
    'example.com#x',
    'example.com\\x',
    '*.example.com',
    '[::1]',
    '::1',
    'a／b.com',
    'a？b.com',
  ],
  ...['127.0.0.1', '127.1', '0x7f.1', '1.2.3', '１２７.０.０.１', 'example.123', '0.0.0.0x1'],
  ...[
    'xn--a.com',
    'xn--.com',
    'xn--a-.com',
    'xn--abc.com',
    'xn--zn7c.com',
    'xn---kyq.com',
    'xn--bcher-kvb.xn--',
    '\u200d.com',
  ],
  ...[`${'a'.repeat(64)}.com`, `${LONGEST}d`, `e.${LONGEST}`, `${'ü'.repeat(63)}.com`, 'a.'.repeat(100_000)],
];

export const testDomainNames = (name: string, make: () => DomainNames): void => {
  describe(`DomainNames: ${name}`, () => {
    for (const [input, ascii] of Object.entries(VALID)) {
      it(`writes ${JSON.stringify(input.slice(0, 40))} as ${ascii.slice(0, 40)}`, () => {
        expect(make().toAscii(input)).to.equal(ascii);
      });
    }

    for (const input of INVALID) {
      it(`rejects ${JSON.stringify(input.slice(0, 40))}`, () => {
        expect(make().toAscii(input)).to.equal(undefined);
      });
    }

    it('rejects a name of 60,000 letters within 200 ms', () => {
      const letters = Array.from({ length: 60_000 }, (_, place) =>
        String.fromCodePoint(0x4e00 + (place % 20_000)),
      );
      const start = performance.now();
      expect(make().toAscii(`${letters.join('')}.com`)).to.equal(undefined);
      expect(performance.now() - start).to.be.below(200);
    });

    it('returns only names that it maps to themselves', () => {
      const { toAscii } = make();
      const label = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 });
      fc.assert(
        fc.property(label, label, (one, other) => {
          const ascii = toAscii(`${one}.${other}`);
          if (ascii === undefined) return;
          expect(ascii).to.match(/^[a-z0-9.-]{3,253}$/);
          expect(toAscii(ascii)).to.equal(ascii);
        }),
      );
    });
  });
};
