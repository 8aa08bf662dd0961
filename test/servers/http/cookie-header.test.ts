import { expect } from 'chai';
import { cookiesIn } from '../../../servers/http/cookie-header.ts';
import { withoutSpace } from '../../../servers/http/optional-whitespace.ts';

/** Bytes that `trim()` takes for white space, but HTTP does not. */
const LOOK_ALIKES = ['\u00a0', '\v', '\f', '\u0085'] as const;

describe('cookiesIn', () => {
  it('returns cookies in order, without the spaces and tabs around names and values', () => {
    expect(cookiesIn('a=1; b = 2 ;\tc=3=4;;d; =5')).to.deep.equal([
      { name: 'a', value: '1' },
      { name: 'b', value: '2' },
      { name: 'c', value: '3=4' },
      { name: '', value: '5' },
    ]);
  });

  it('keeps every other byte of names and values', () => {
    for (const byte of LOOK_ALIKES) {
      const [cookie] = cookiesIn(`${byte}__Host-gatehouse${byte}=${byte}value${byte}`);
      expect(cookie).to.deep.equal({ name: `${byte}__Host-gatehouse${byte}`, value: `${byte}value${byte}` });
    }
  });
});

describe('withoutSpace', () => {
  it('removes only spaces and tabs around a header value', () => {
    expect(withoutSpace(' \t value of two \t ')).to.equal('value of two');
    expect(withoutSpace(' \t ')).to.equal('');
    for (const byte of LOOK_ALIKES)
      expect(withoutSpace(` ${byte}value${byte}\t`)).to.equal(`${byte}value${byte}`);
  });
});
