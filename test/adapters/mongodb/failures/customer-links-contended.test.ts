import { expect } from 'chai';
import { makeMongoCustomerLinks } from '../../../../adapters/mongodb/customer-links.ts';
import type { MongoDatabase } from '../../../../adapters/mongodb/engine/client.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';

describe('Customer links in MongoDB', () => {
  /** Answers the three calls of each attempt with: not found, not inserted, not linked to another user. */
  const openContradicting = () => {
    const calls: number[] = [];
    const answers = [null, false, false];
    const call = async () => {
      calls.push(performance.now());
      if (calls.length > 300) throw new Error('The store retries without end.');
      return answers[(calls.length - 1) % answers.length];
    };
    const database = { collection: () => ({}), call } as unknown as MongoDatabase;
    return { calls, links: makeMongoCustomerLinks(database) };
  };

  it('fail as unavailable after retries with pauses if the server contradicts itself', async () => {
    const { calls, links } = openContradicting();
    const refusal = await rejectionOf(() => links.link('customer', 'user'));
    expect(refusal).to.include({ kind: 'unavailable', code: 'store_unavailable' });
    expect(calls.length % 3).to.equal(0);
    const pauses = calls
      .filter((_, place) => place % 3 === 0)
      .map((at, place) => at - (calls[place * 3 - 1] ?? at));
    expect(Math.max(...pauses)).to.be.greaterThan(5);
  });
});
