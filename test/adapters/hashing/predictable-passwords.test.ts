import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { makeBlocklist } from '../../../adapters/hashing/blocklist.ts';
import { useTempFolder } from '../../support/temp-folder.ts';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';
const LINES = [ALPHABET, '01234567890123456789', 'qwertyuiop', 'asdfghjkl', 'azertyuiop', 'qwertzuiop'];
const COMMON = ['password', 'dragon', 'welcome', 'summer', 'p@ssw0rd'];
// Common words, too: what makes a passphrase is that there are several.
const WORDS = [
  ...['correct', 'horse', 'battery', 'staple', 'table', 'window', 'orange', 'river', 'paper', 'garden'],
  ...['dragon', 'summer', 'winter', 'monkey', 'shadow', 'silver', 'coffee', 'letter', 'mountain', 'pencil'],
];

describe('What the block-list that comes with the product finds predictable', () => {
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

  it('is what comes to everybody’s mind', async () => {
    for (const password of [
      ...['00000000', '88888888', '99999999', '55555555', '77777777', '87654321', '12341234', '123123123'],
      ...['aaaaaaaa', 'abcdefgh', 'zzzzzzzz', 'Password1!', 'abcd1234'],
      ...['ABCDEFGH', 'qwertzui', 'asdf;lkj', 'aabbccaa', 'Summer2026', 'welcome_123', '🦊🦊🦊🦊🦊🦊🦊🦊'],
    ])
      expect(await list.has(password, []), password).to.equal(true);
  });

  it('is up to three characters in any order', () => {
    const few = fc.tuple(
      fc.stringMatching(/^[a-z0-9!]{3}$/),
      fc.array(fc.nat(2), { minLength: 8, maxLength: 32 }),
    );
    return expectListed(
      inAnyCase(few.map(([characters, at]) => at.map((index) => characters[index]).join(''))),
      true,
    );
  });

  it('is a block of up to four characters over and over, be it cut off', () => {
    const blocks = fc.tuple(fc.stringMatching(/^[a-z0-9-]{1,4}$/), fc.integer({ min: 8, max: 32 }));
    return expectListed(inAnyCase(blocks.map(([block, length]) => block.repeat(32).slice(0, length))), true);
  });

  it('is a run of the alphabet, the digits or a keyboard, either way', () => {
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

  it('is a listed word with the usual ending, or twice', async () => {
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

  it('is no passphrase of several words, with or without a number', () => {
    const words = fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 3, maxLength: 5 });
    const passwords = fc.tuple(
      words,
      fc.constantFrom('', ' ', '-', '.'),
      fc.constantFrom('', '1', '2026', '!'),
    );
    return expectListed(inAnyCase(passwords.map(([all, between, end]) => all.join(between) + end)), false);
  });

  it('is left to the list where that is a file of one’s own', async () => {
    const path = join(folder(), 'own-list');
    writeFileSync(path, 'dragon\n');
    const ownList = makeBlocklist(path);
    expect([await ownList.has('aaaaaaaa', []), await ownList.has('dragon1!', [])]).to.deep.equal([
      false,
      false,
    ]);
  });

  it('is no jumble, no sentence, no longer run and no word with an ending of its own', async () => {
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
