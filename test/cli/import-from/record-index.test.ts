import { expect } from 'chai';
import { makeRecordIndex } from '../../../cli/import-from/record-index.ts';

describe('The record index', () => {
  it('finds every record of a key, and none for an unknown key', () => {
    const index = makeRecordIndex();
    for (let user = 0; user < 5_000; user += 1) {
      index.add(`user ${user}`, { offset: user * 1_000, length: user + 1 });
      if (user % 10 === 0) index.add(`user ${user}`, { offset: 2 ** 33 - 1 - user, length: 2 ** 20 - 1 });
    }
    for (let user = 0; user < 5_000; user += 1) {
      const first = { offset: user * 1_000, length: user + 1 };
      const second = { offset: 2 ** 33 - 1 - user, length: 2 ** 20 - 1 };
      expect(index.find(`user ${user}`)).to.have.deep.members(user % 10 === 0 ? [first, second] : [first]);
    }
    expect(index.find('somebody else')).to.deep.equal([]);
  });

  it('refuses a record beyond 8 GiB', () => {
    const index = makeRecordIndex();
    expect(() => index.add('a', { offset: 2 ** 33, length: 1 })).to.throw('within the first 8 GiB');
    index.add('a', { offset: 2 ** 33 - 1, length: 1 });
    expect(index.find('a')).to.deep.equal([{ offset: 2 ** 33 - 1, length: 1 }]);
  });
});
