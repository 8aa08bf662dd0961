import { expect } from 'chai';
import fc from 'fast-check';
import { domainNames } from '../../../adapters/dns/idna.ts';
import { canonicalEmail } from '../../../core/accounts/email.ts';
import { CoreError } from '../../../core/errors.ts';

const canonical = (input: string) => canonicalEmail(domainNames, input);

/** The canonical form; undefined if the email is refused as invalid. */
const tryCanonical = (input: string): string | undefined => {
  try {
    return canonical(input);
  } catch (error) {
    if (error instanceof CoreError && error.kind === 'invalid' && error.code === 'invalid_email') return;
    throw error;
  }
};

const labels = (count: number, length: number) => Array(count).fill('d'.repeat(length)).join('.');

const accepted: Readonly<Record<string, string>> = {
  'ada@example.com': 'ada@example.com',
  ' \t\nAda@Example.COM\r\n ': 'ada@example.com',
  'KEN@example.com': 'ken@example.com',
  '\u212aen@example.com': 'ken@example.com',
  'ｋｅｎ＠ｅｘａｍｐｌｅ．ｃｏｍ': 'ken@example.com',
  '\u{1d424}en@example.com': 'ken@example.com',
  'ﬁn@example.com': 'fin@example.com',
  'ken@exa\u00admple.com': 'ken@example.com',
  'ken@bücher.de': 'ken@xn--bcher-kva.de',
  'ken@BU\u0308CHER.de': 'ken@xn--bcher-kva.de',
  'ken@xn--bcher-kva.de': 'ken@xn--bcher-kva.de',
  'ken@straße.de': 'ken@xn--strae-oqa.de',
  "o'neil+tag_1@sub.example.co.uk": "o'neil+tag_1@sub.example.co.uk",
};

const refused: Readonly<Record<string, string>> = {
  'an empty text': '',
  blanks: '   ',
  'no @': 'example.com',
  'an empty local part': '@example.com',
  'an empty domain': 'ken@',
  'two @': 'ken@home@example.com',
  'a second @ that NFKC makes': 'ken@home＠example.com',
  'a dotless i': 'ın@example.com',
  'a capital I with a dot': 'İn@example.com',
  'a sharp s': 'straße@example.com',
  'a capital sharp s': 'STRAẞE@example.com',
  'a Cyrillic a': 'k\u0430n@example.com',
  'an accent': 'zoë@example.com',
  'a combining accent': 'zoe\u0308@example.com',
  'a zero-width joiner': 'k\u200den@example.com',
  'a soft hyphen before the @': 'k\u00aden@example.com',
  'a right-to-left override': 'k\u202een@example.com',
  'a blank inside': 'k en@example.com',
  'a blank before the @': 'ken @example.com',
  'a blank after the @': 'ken@ example.com',
  'a quoted name': '"k en"@example.com',
  'a display name': 'Ken <ken@example.com>',
  'a comma': 'ken@example.com,ada@example.com',
  CR: 'ken\r@example.com',
  LF: 'ken@example.com\nBcc: ada@example.com',
  NUL: 'ken\0@example.com',
  'a NUL at the end': 'ken@example.com\0',
  'a trailing dot': 'ken@example.com.',
  'an ideographic trailing dot': 'ken@example.com。',
  'one label': 'ken@localhost',
  'an IPv4 address': 'ken@127.0.0.1',
  'an IPv6 address': 'ken@[::1]',
  'a domain with a port': 'ken@example.com:25',
  'an invalid A-label': 'ken@xn--a.com',
  '65 characters before the @': `${'k'.repeat(65)}@example.com`,
  '255 characters': `${'k'.repeat(63)}@${labels(3, 62)}.dd`,
  'a very long domain': `ken@${'a.'.repeat(100_000)}com`,
};

describe('The canonical form of an email', () => {
  for (const [input, expected] of Object.entries(accepted)) {
    it(`is ${expected} for ${JSON.stringify(input)}`, () => {
      expect(canonical(input)).to.equal(expected);
    });
  }

  for (const [description, input] of Object.entries(refused)) {
    it(`does not exist for ${description}`, () => {
      expect(tryCanonical(input)).to.equal(undefined);
    });
  }

  it('has at most 64 characters before the @ and 254 in total', () => {
    const longest = `${'k'.repeat(64)}@${labels(2, 63)}.${'d'.repeat(57)}.com`;
    expect(longest).to.have.lengthOf(254);
    expect(canonical(longest)).to.equal(longest);
    expect(tryCanonical(longest.replace('.com', '.info'))).to.equal(undefined);
  });

  it('distinguishes spellings that only some mailbox providers treat as one mailbox', () => {
    const spellings = ['ken.a@example.com', 'kena@example.com', 'ken+a@example.com', 'kena@sub.example.com'];
    expect(new Set(spellings.map(canonical)).size).to.equal(spellings.length);
  });

  const letters = fc.constantFrom(...'aAkKsSiI\u212aıİßẞﬁ.+@ \t\n\0＠．。ｋé\u0301\u200d\u00ad1-_'.split(''));
  const arbitraryText = fc.oneof(
    fc.string({ unit: letters, maxLength: 12 }),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
  );
  const textOf = (characters: string) =>
    fc.string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength: 12 });
  const likelyLocal = textOf('aAkKsSiI\u212aﬁ.+ｋ1-_');
  const likelyDomain = textOf('aAkKsSßｋé1');
  const candidates = fc
    .tuple(
      fc.oneof({ weight: 4, arbitrary: likelyLocal }, arbitraryText),
      fc.oneof({ weight: 4, arbitrary: likelyDomain }, arbitraryText),
      fc.constantFrom('com', 'de', 'рф', 'CoM'),
    )
    .map(([local, domain, top]) => `${local}@${domain}.${top}`);

  it('consists of printable ASCII characters with one @', () => {
    fc.assert(
      fc.property(candidates, (input) => {
        const email = tryCanonical(input);
        fc.pre(email !== undefined);
        expect(email).to.match(/^[\x21-\x3f\x41-\x7e]{1,64}@[a-z0-9.-]{3,253}$/);
      }),
    );
  });

  it('is its own canonical form, also in upper case', () => {
    fc.assert(
      fc.property(candidates, (input) => {
        const email = tryCanonical(input);
        fc.pre(email !== undefined);
        expect(canonical(email)).to.equal(email);
        expect(canonical(` ${email.toUpperCase()} `)).to.equal(email);
      }),
    );
  });

  it('is equal for the NFC and NFD forms of a text', () => {
    fc.assert(
      fc.property(candidates, (input) => {
        expect(tryCanonical(input.normalize('NFD'))).to.equal(tryCanonical(input.normalize('NFC')));
      }),
    );
  });
});
