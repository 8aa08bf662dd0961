import { expect } from 'chai';
import { type BulkWriteResult, MongoBulkWriteError, MongoNetworkError } from 'mongodb';
import { isDuplicateOfMany, isOutage, isPassing } from '../../../../adapters/mongodb/engine/failures.ts';

const bulkError = (cause: ConstructorParameters<typeof MongoBulkWriteError>[0]) =>
  new MongoBulkWriteError(cause, {} as BulkWriteResult);
const refused = (...codes: readonly number[]) => ({
  message: 'refused',
  code: codes[0] ?? 0,
  writeErrors: codes.map((code) => ({ code }) as never),
});

describe('A failure of a bulk write to MongoDB', () => {
  it('passes where its connection broke', () => {
    const broken = bulkError(new MongoNetworkError('the connection broke'));
    expect([isPassing(broken), isOutage(broken), isDuplicateOfMany(broken)]).to.deep.equal([
      true,
      true,
      false,
    ]);
  });

  it('is one of duplicates alone where every write error says so', () => {
    expect(isDuplicateOfMany(bulkError(refused(11000, 11000)))).to.equal(true);
    expect(isDuplicateOfMany(bulkError(refused(11000, 121)))).to.equal(false);
    expect(isPassing(bulkError(refused(11000, 121)))).to.equal(false);
  });
});
