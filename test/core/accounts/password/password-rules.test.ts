import { expect } from 'chai';
import fc from 'fast-check';
import { acceptPassword, normalizePassword } from '../../../../core/accounts/password-rules.ts';
import { defaultAccountsPolicy as policy } from '../../../../core/accounts/policy.ts';
import { CoreError } from '../../../../core/errors.ts';

const listed = new Set(['letmein-please']);
const blocklist = { has: async (password: string) => listed.has(password) };

const owner = { email: 'ada@example.com', displayName: null };
const accept = (input: string) => acceptPassword({ policy, blocklist }, input, owner);

const refusal = async (input: string): Promise<string> => {
  try {
    return `accepted ${await accept(input)}`;
  } catch (error) {
    if (error instanceof CoreError && error.kind === 'invalid') return error.code;
    throw error;
  }
};

describe('A new password', () => {
  it('has 8 to 256 characters, each of any number of bytes', async () => {
    for (const character of ['x', 'ż', '漢', '🦊']) {
      expect(await refusal(character.repeat(7))).to.equal('password_too_short');
      expect(await accept(character.repeat(8))).to.equal(character.repeat(8));
      expect(await accept(character.repeat(256))).to.equal(character.repeat(256));
      expect(await refusal(character.repeat(257))).to.equal('password_too_long');
    }
  });

  it('is measured as typed or as hashed, whichever has fewer characters', async () => {
    expect(await refusal('e\u0301'.repeat(4))).to.equal('password_too_short');
    expect(await refusal('\ufdfa')).to.equal('password_too_short');
    expect(await refusal('\ufdfa'.repeat(7))).to.equal('password_too_short');
    expect(await accept('e\u0301'.repeat(256))).to.equal('é'.repeat(256));
    expect(await accept('\ufb01'.repeat(200))).to.equal('fi'.repeat(200));
    expect(await refusal('\ufb01'.repeat(257))).to.equal('password_too_long');
    expect(await refusal('e\u0301'.repeat(257))).to.equal('password_too_long');
  });

  it('is refused if it consists of blanks and invisible characters', async () => {
    for (const blanks of [
      ' '.repeat(8),
      '\t'.repeat(9),
      '\u00a0\u2003\u3000 \u2028\u202f\u205f\u1680',
      ...['\u200b', '\u2800', '\u3164', '\uffa0', '\u00ad', '\ufeff', '\u180e', '\ufe0f'].map((character) =>
        character.repeat(8),
      ),
      '\u2060 \u200d\u200e\u2800\u115f\u034f\t',
      '\u{e0020}'.repeat(8),
    ])
      expect(await refusal(blanks), JSON.stringify(blanks)).to.equal('password_not_allowed');
    for (const accepted of [
      '.\u200b\u200b\u200b\u200b\u200b\u200b\u200b',
      '\u2801'.repeat(8),
      '👨\u200d👩\u200d👧\u200d👦 ',
    ]) {
      expect(await refusal(accepted), JSON.stringify(accepted)).to.match(/^accepted/);
    }
  });

  it('keeps the blanks around it', async () => {
    expect(await accept('  eight  ')).to.equal('  eight  ');
  });

  it('is refused if it contains NUL, because some hashes end there', async () => {
    expect(await refusal('correct\0horse')).to.equal('password_not_allowed');
  });

  it('is refused if it is on the block-list in any Unicode form', async () => {
    expect(await refusal('letmein-please')).to.equal('password_too_common');
    expect(await refusal('ｌｅｔｍｅｉｎ-please')).to.equal('password_too_common');
  });

  it('is normalized by NFKC, and never truncated', async () => {
    const text = fc.string({ unit: 'grapheme', minLength: 8, maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(text, async (input) => {
        const outcome = await refusal(input);
        // The property fails if most passwords are refused.
        fc.pre(!outcome.startsWith('password_'));
        expect(outcome).to.equal(`accepted ${input.normalize('NFKC')}`);
      }),
    );
  });
});

describe('A password at sign-in', () => {
  it('is equal in any Unicode form, and stays unchanged if it is normalized again', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 100 });
    fc.assert(
      fc.property(text, (input) => {
        const once = normalizePassword(input, 10_000);
        expect(normalizePassword(input.normalize('NFD'), 10_000)).to.equal(once);
        expect(normalizePassword(once, 10_000)).to.equal(once);
      }),
    );
  });

  it('is refused if it is longer than a new password may be', () => {
    expect(() => normalizePassword('x'.repeat(257), policy.passwordLongest)).to.throw(CoreError, '256');
  });
});
