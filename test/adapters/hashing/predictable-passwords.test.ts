import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { makeBlocklist } from '../../../adapters/hashing/blocklist.ts';
import { useTempFolder } from '../../support/temp-folder.ts';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';
const LINES = [ALPHABET, '01234567890123456789', 'qwertyuiop', 'asdfghjkl', 'azertyuiop', 'qwertzuiop'];
const COMMON = ['password', 'dragon', 'welcome', 'summer', 'p@ssw0rd'];
// Common words are included, since a passphrase is strong by the number of its words.
const WORDS = [
  ...['correct', 'horse', 'battery', 'staple', 'table', 'window', 'orange', 'river', 'paper', 'garden'],
  ...['dragon', 'summer', 'winter', 'monkey', 'shadow', 'silver', 'coffee', 'letter', 'mountain', 'pencil'],
];

describe('The built-in block-list', () => {
  const folder = useTempFolder();
  const list = makeBlocklist('builtin');
  const expectListed = (arbitrary: fc.Arbitrary<string>, listed: boolean) =>
    fc.assert(
      fc.asyncProperty(arbitrary, async (password) => {
        expect(await list.has(password, []), password).to.equal(listed);
      }),
    );
  const inAnyCase = (text: fc.Arbitrary<string>) =>
    fc.tuple(text, fc.boolean()).map(([password, upper]) => (upper ? password.toUpperCase() : password));

  it('contains obvious passwords', async () => {
    for (const password of [
      ...['00000000', '88888888', '99999999', '55555555', '77777777', '87654321', '12341234', '123123123'],
      ...['aaaaaaaa', 'abcdefgh', 'zzzzzzzz', 'Password1!', 'abcd1234'],
      ...['ABCDEFGH', 'qwertzui', 'asdf;lkj', 'aabbccaa', 'Summer2026', 'welcome_123', '🦊🦊🦊🦊🦊🦊🦊🦊'],
    ])
      expect(await list.has(password, []), password).to.equal(true);
  });

  it('contains passwords of up to three distinct characters', () => {
    const few = fc.tuple(
      fc.stringMatching(/^[a-z0-9!]{3}$/),
      fc.array(fc.nat(2), { minLength: 8, maxLength: 32 }),
    );
    return expectListed(
      inAnyCase(few.map(([characters, at]) => at.map((index) => characters[index]).join(''))),
      true,
    );
  });

  it('contains repetitions of up to four characters, even if cut short', () => {
    const blocks = fc.tuple(fc.stringMatching(/^[a-z0-9-]{1,4}$/), fc.integer({ min: 8, max: 32 }));
    return expectListed(inAnyCase(blocks.map(([block, length]) => block.repeat(32).slice(0, length))), true);
  });

  it('contains runs of the alphabet, the digits or a keyboard row, in both directions', () => {
    const slices = fc.tuple(
      fc.constantFrom(...LINES),
      fc.nat(20),
      fc.integer({ min: 8, max: 26 }),
      fc.boolean(),
    );
    const runs = slices.map(([line, from, length, back]) => {
      const run = line.slice(from % (line.length - 7)).slice(0, length);
      return back ? [...run].reverse().join('') : run;
    });
    return expectListed(inAnyCase(runs), true);
  });

  it('contains common words with a usual ending or doubled', async () => {
    const endings = [
      '1',
      '12',
      '123',
      '1234',
      '123456',
      '2026',
      '1987',
      '007',
      '!',
      '1!',
      '123!',
      '!!',
      '@123',
      '_1',
    ];
    const words = fc.tuple(fc.constantFrom(...COMMON), fc.constantFrom(...endings));
    await expectListed(inAnyCase(words.map(([word, ending]) => word + ending)), true);
    await expectListed(
      fc.constantFrom(...COMMON).map((word) => word + word),
      true,
    );
  });

  it('does not contain passphrases of several words, with or without a number', () => {
    const words = fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 3, maxLength: 5 });
    const passwords = fc.tuple(
      words,
      fc.constantFrom('', ' ', '-', '.'),
      fc.constantFrom('', '1', '2026', '!'),
    );
    return expectListed(inAnyCase(passwords.map(([all, between, end]) => all.join(between) + end)), false);
  });

  it('does not apply its rules to a custom list', async () => {
    const path = join(folder(), 'own-list');
    writeFileSync(path, 'dragon\n');
    const customList = makeBlocklist(path);
    expect([await customList.has('aaaaaaaa', []), await customList.has('dragon1!', [])]).to.deep.equal([
      false,
      false,
    ]);
  });

  it('does not contain random strings, sentences, longer runs or words with unusual endings', async () => {
    for (const password of [
      ...[
        'kT4#vq9Lw2',
        'x7gQm2pR',
        'zażółć gęślą jaźń',
        'ich mag Käse',
        '我喜欢吃苹果和香蕉',
        'dragon7391264',
      ],
      ...['dragonriver', 'mydogatemyhomework', 'a'.repeat(33), '0123456789'.repeat(4), '1a2b3c-4d'],
    ])
      expect(await list.has(password, []), password).to.equal(false);
  });
});
