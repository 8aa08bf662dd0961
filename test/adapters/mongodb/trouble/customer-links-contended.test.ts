import { expect } from 'chai';
import { makeMongoCustomerLinks } from '../../../../adapters/mongodb/customer-links.ts';
import type { MongoDatabase } from '../../../../adapters/mongodb/engine/client.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';

describe('Customer links in MongoDB', () => {
  /** Answers each attempt's three calls alike: it is not found, not inserted, and not another's. */
  const contradicting = () => {
    const calls: number[] = [];
    const answers = [null, false, false];
    const call = async () => {
      calls.push(performance.now());
      if (calls.length > 300) throw new Error('It goes on for ever.');
      return answers[(calls.length - 1) % answers.length];
    };
    const database = { collection: () => ({}), call } as unknown as MongoDatabase;
    return { asked: calls, links: makeMongoCustomerLinks(database) };
  };

  it('give up, with pauses in between, where a server contradicts itself', async () => {
    const { asked: calls, links } = contradicting();
    const refusal = await rejectionOf(() => links.link('customer', 'user'));
    expect(refusal).to.include({ kind: 'unavailable', code: 'store_unavailable' });
    expect(calls.length % 3).to.equal(0);
    const pauses = calls
      .filter((_, place) => place % 3 === 0)
      .map((at, place) => at - (calls[place * 3 - 1] ?? at));
    expect(Math.max(...pauses)).to.be.greaterThan(5);
  });
});
