import { expect } from 'chai';
import type { CustomerLinks } from '../../core/billing/ports.ts';
import { type Opened, storeForEachTest } from './open-for-each-test.ts';
import { inRounds, race } from './race.ts';
import { refusesNonText } from './rejection.ts';

export const customerLinksContract = (name: string, open: () => Promise<Opened<CustomerLinks>>): void => {
  describe(`${name} as a customer link store`, () => {
    const links = storeForEachTest(open);

    it('finds the user of a customer, and none for an unknown customer', async () => {
      expect(await links.link('one', 'user')).to.equal(true);
      expect(await links.link('two', 'user')).to.equal(true);
      expect(await links.find('one')).to.equal('user');
      expect(await links.find('two')).to.equal('user');
      for (const unknown of ['user', 'ONE', 'one ', '', 'on_'])
        expect(await links.find(unknown)).to.equal(undefined);
    });

    it('returns whether a link is new, and replaces the link of another user', async () => {
      await links.link('one', 'user');
      expect(await links.link('one', 'user')).to.equal(false);
      expect(await links.link('one', 'another')).to.equal(true);
      expect(await links.find('one')).to.equal('another');
    });

    it('removes all links of a user, and of no other user', async () => {
      for (const customer of ['one', 'two']) await links.link(customer, 'user');
      await links.link('three', 'another');
      await links.remove('user');
      await links.remove('user');
      for (const customer of ['one', 'two']) expect(await links.find(customer)).to.equal(undefined);
      expect(await links.find('three')).to.equal('another');
      expect(await links.link('one', 'user')).to.equal(true);
    });

    it('reports a new link to exactly one of 50 concurrent calls', () =>
      inRounds(async (round) => {
        const results = await race(50, () => links.link(`round ${round}`, 'user'));
        expect(results.filter(Boolean)).to.have.length(1);
      }));

    it('links a customer to one of 50 users that are linked concurrently', () =>
      inRounds(async (round) => {
        const customer = `round ${round}`;
        await race(50, (place) => links.link(customer, `user ${place}`));
        expect(await links.find(customer)).to.match(/^user \d+$/);
      }));

    it('rejects arguments that are not text with a `TypeError`', async () => {
      await refusesNonText((value) => links.find(value));
      await refusesNonText((value) => links.link(value, 'user'));
      await refusesNonText((value) => links.link('one', value));
      await refusesNonText((value) => links.remove(value));
      expect(await links.find('one')).to.equal(undefined);
    });
  });
};
