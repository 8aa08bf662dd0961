import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import * as mongodb from '../../adapters/mongodb/engine/failures.ts';
import * as postgresql from '../../adapters/postgresql/engine/failures.ts';

/** A failure of a socket as Node.js throws it, in a realm of its own, as under Jest. */
const socketFailure: unknown = runInNewContext(
  "Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' })",
);

describe('An error of another realm, as errors of Node.js are under Jest', () => {
  it('is no instance of `Error`', () => {
    expect(socketFailure).not.to.be.instanceOf(Error);
  });

  for (const [name, { failureWord, isOutage, whyNoConnection }] of Object.entries({ mongodb, postgresql })) {
    it(`is an outage of ${name} if a socket failed, and is named in the log`, () => {
      expect(isOutage(socketFailure)).to.equal(true);
      expect(failureWord(socketFailure)).not.to.equal('unknown');
      expect(whyNoConnection(socketFailure)).to.have.property('isSetting', false);
      expect(whyNoConnection(socketFailure).word).to.include('ECONNREFUSED');
    });
  }
});
