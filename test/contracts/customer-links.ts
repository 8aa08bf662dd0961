import { expect } from 'chai';
import type { CustomerLinks } from '../../core/billing/ports.ts';
import { type Opened, storeForEachTest } from './opened.ts';
import { inRounds, race } from './race.ts';
import { refusesNonText } from './rejection.ts';

export const customerLinksContract = (name: string, open: () => Promise<Opened<CustomerLinks>>): void => {
  describe(`${name} as customer links`, () => {
    const links = storeForEachTest(open);

    it('find whose customer it is, and nobody for an unknown one', async () => {
      expect(await links.link('one', 'user')).to.equal(true);
      expect(await links.link('two', 'user')).to.equal(true);
      expect(await links.find('one')).to.equal('user');
      expect(await links.find('two')).to.equal('user');
      for (const unknown of ['user', 'ONE', 'one ', '', 'on_'])
        expect(await links.find(unknown)).to.equal(undefined);
    });

    it('say what is new, and link anew what is another’s', async () => {
      await links.link('one', 'user');
      expect(await links.link('one', 'user')).to.equal(false);
      expect(await links.link('one', 'another')).to.equal(true);
      expect(await links.find('one')).to.equal('another');
    });

    it('forget all of a user’s, and no other’s', async () => {
      for (const customer of ['one', 'two']) await links.link(customer, 'user');
      await links.link('three', 'another');
      await links.remove('user');
      await links.remove('user');
      for (const customer of ['one', 'two']) expect(await links.find(customer)).to.equal(undefined);
      expect(await links.find('three')).to.equal('another');
      expect(await links.link('one', 'user')).to.equal(true);
    });

    it('are new to one of 50 that make the same', () =>
      inRounds(async (round) => {
        const made = await race(50, () => links.link(`round ${round}`, 'user'));
        expect(made.filter(Boolean)).to.have.length(1);
      }));

    it('end with one of 50 users that have the same customer', () =>
      inRounds(async (round) => {
        const customer = `round ${round}`;
        await race(50, (place) => links.link(customer, `user ${place}`));
        expect(await links.find(customer)).to.match(/^user \d+$/);
      }));

    it('refuse what is no text', async () => {
      await refusesNonText((value) => links.find(value));
      await refusesNonText((value) => links.link(value, 'user'));
      await refusesNonText((value) => links.link('one', value));
      await refusesNonText((value) => links.remove(value));
      expect(await links.find('one')).to.equal(undefined);
    });
  });
};
