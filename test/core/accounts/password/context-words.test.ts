import { expect } from 'chai';
import { contextWords } from '../../../../core/accounts/password-rules.ts';

const words = (email: string, displayName: string | null = null, product = 'Gatehouse') =>
  contextWords(product, { email, displayName });

describe('The context words of a password', () => {
  it('include the product, the email, its local part and its domain labels except the last', () => {
    expect(words('ada@mail.example.com')).to.include.members([
      'Gatehouse',
      'ada@mail.example.com',
      'ada',
      'mail.example.com',
      'mail',
      'example',
    ]);
    expect(words('ada@example.com')).to.not.include('com');
  });

  it('include names as a whole, without separators, and as single words', () => {
    const all = words('ada.lovelace@example.com', 'Żółta Łódź-Nova', 'Drop Files');
    expect(all).to.include.members(['ada.lovelace', 'adalovelace', 'lovelace']);
    expect(all).to.include.members(['Żółta Łódź-Nova', 'ŻółtaŁódźNova', 'Żółta', 'Łódź', 'Nova']);
    expect(all).to.include.members(['Drop Files', 'DropFiles', 'Drop', 'Files']);
  });

  it('have at least three characters', () => {
    for (const word of words('a.b.cd@x.pl', 'Al', 'X')) expect(word.length, word).to.be.at.least(3);
  });
});
