import { expect } from 'chai';
import { makeLostFields } from '../../../cli/import-from/lost-fields.ts';

describe('The fields that an import leaves out', () => {
  it('are counted once per user, and together beyond a hundred names', () => {
    const lostFields = makeLostFields();
    const fieldNames = Array.from({ length: 10_000 }, (_, index) => `field${index}`);
    lostFields.add(fieldNames);
    lostFields.add(['field0', 'field0', 'field9999']);
    const { field0, field1, 'other fields': others, ...more } = lostFields.read({ field1: 2, avatar: 0 });
    expect({ field0, field1, others }).to.deep.equal({ field0: 2, field1: 3, others: 2 });
    expect(Object.keys(more)).to.have.length(98);
  });
});
