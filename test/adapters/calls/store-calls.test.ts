import { expect } from 'chai';
import { makeStoreCalls } from '../../../adapters/calls/store-calls.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';

const broken = new Error('broken');
const failures = {
  isConflict: () => false,
  isPassing: (error: unknown) => error === broken,
  isOutage: (error: unknown) => error === broken,
  isAnswer: () => false,
  failureWord: (error: unknown) => (error instanceof Error ? error.name : 'unknown'),
};

describe('A call to a remote store', () => {
  const reasonOf = async (work: (attempt: number) => Promise<unknown>) => {
    const log = makeRecordingLog();
    const call = makeStoreCalls(failures, { log, deadline: 100 });
    expect(await rejectionOf(() => call(work))).to.include({ code: 'store_unavailable' });
    return log.lines.map(({ event, fields }) => [event, fields?.reason]);
  };
  const never = () => new Promise<never>(() => undefined);

  it('is logged with the failure of an earlier attempt if the last attempt times out', async () => {
    const reasons = await reasonOf((attempt) => (attempt === 0 ? Promise.reject(broken) : never()));
    expect(reasons).to.deep.equal([['store.failed', 'Error']]);
  });

  it('is logged as late if no attempt returns', async () => {
    expect(await reasonOf(never)).to.deep.equal([['store.failed', 'TooLate']]);
  });
});
