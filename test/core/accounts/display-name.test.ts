import { expect } from 'chai';
import fc from 'fast-check';
import { acceptDisplayName } from '../../../core/accounts/display-name.ts';
import { defaultAccountsPolicy as policy } from '../../../core/accounts/policy.ts';
import { CoreError } from '../../../core/errors.ts';

const accept = (input: string | null) => acceptDisplayName(policy, input);

const isRefused = (input: string): boolean => {
  try {
    accept(input);
    return false;
  } catch (error) {
    if (error instanceof CoreError && error.code === 'invalid_display_name') return true;
    throw error;
  }
};

describe('A display name', () => {
  it('is stored unchanged except for the blanks around it', () => {
    expect(accept('  Zoë "Q" <b>🦊</b> ')).to.equal('Zoë "Q" <b>🦊</b>');
  });

  it('is null if the input is empty or blank', () => {
    for (const input of [null, '', '   ', '\u3000\u00a0']) expect(accept(input)).to.equal(null);
  });

  it('has at most 100 characters, each of any number of bytes', () => {
    for (const character of ['x', '漢', '🦊']) {
      expect(accept(` ${character.repeat(100)} `)).to.equal(character.repeat(100));
      expect(isRefused(character.repeat(101))).to.equal(true);
    }
  });

  it('is refused if it contains a control character', () => {
    const control = fc.constantFrom('\0', '\t', '\r', '\n', '\u001b', '\u007f', '\u0085', '\u009b', '\u2028');
    fc.assert(
      fc.property(control, (character) => {
        expect(isRefused(`Ada${character}Lovelace`)).to.equal(true);
      }),
    );
  });

  it('is refused if it contains a character that changes the direction of text', () => {
    const marks = ['\u061c', '\u200e', '\u200f', '\u202a', '\u202b', '\u202c', '\u202d', '\u202e'];
    for (const mark of [...marks, '\u2066', '\u2067', '\u2068', '\u2069'])
      expect(isRefused(`Ada${mark}Lovelace`), JSON.stringify(mark)).to.equal(true);
    expect(accept('عائشة שרה')).to.equal('عائشة שרה');
  });

  it('stays unchanged if it is normalized again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), (input) => {
        if (isRefused(input)) return;
        const name = accept(input);
        expect(accept(name)).to.equal(name);
        expect(name).to.not.equal('');
      }),
    );
  });
});
