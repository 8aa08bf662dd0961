import { expect } from 'chai';
import type { EventLedger, EventState } from '../../core/billing/ports.ts';
import { listedEvent } from '../../core/billing/receive-event.ts';
import { type Opened, storeForEachTest } from './open-for-each-test.ts';
import { inRounds, race } from './race.ts';
import { refusesNonNumbers, refusesNonText } from './rejection.ts';
import { NOW } from './samples.ts';

/** Later than any due delivery, unless a test passes another time. */
const LATEST = Number.MAX_SAFE_INTEGER;

const sample = (id: string) => ({ id, body: `{"id":"${id}","name":"Zoë 🦊"}` });

export const eventLedgerContract = (name: string, open: () => Promise<Opened<EventLedger>>): void => {
  describe(`${name} as an event ledger`, () => {
    const ledger = storeForEachTest(open);

    const idsDue = async (now = Number.MAX_SAFE_INTEGER, limit = 1_000) =>
      (await ledger.listDue(now, limit, LATEST)).map(({ id }) => id);
    const counts = () =>
      Promise.all(
        (['pending', 'waiting', 'applied', 'ignored', 'dead'] as const).map((state) => ledger.count(state)),
      );

    it('adds each id once and keeps the first body', async () => {
      expect(await ledger.add(sample('a'), NOW)).to.equal(true);
      expect(await ledger.add({ id: 'a', body: 'another' }, NOW + 1)).to.equal(false);
      expect(await ledger.listDue(NOW, 10, LATEST)).to.deep.equal([
        { ...sample('a'), receivedAt: NOW, tries: 0 },
      ]);
    });

    it('stores a body unchanged, even if it is empty or not JSON', async () => {
      const bodies = ['', 'no JSON', '{', '"', "'; DROP TABLE", '\uFEFF{}', 'x'.repeat(262_144)];
      for (const [place, body] of bodies.entries()) await ledger.add({ id: `${place}`, body }, NOW + place);
      expect((await ledger.listDue(NOW + 100, 100, LATEST)).map(({ body }) => body)).to.deep.equal(bodies);
    });

    it('lists due deliveries, longest waiting first, up to a limit', async () => {
      for (const [id, at] of Object.entries({ c: 3, a: 1, d: 3, b: 2, e: 5 }))
        await ledger.add(sample(id), NOW + at);
      expect(await idsDue(NOW)).to.deep.equal([]);
      expect(await idsDue(NOW + 3)).to.deep.equal(['a', 'b', 'c', 'd']);
      expect(await idsDue(NOW + 9, 3)).to.deep.equal(['a', 'b', 'c']);
    });

    it('lists deliveries postponed before the clock was set back after the due ones', async () => {
      const ids = ['ahead', 'due', 'farther ahead', 'later', 'settled'];
      for (const id of ids) await ledger.add(sample(id), NOW);
      const waits = { ahead: 11, 'farther ahead': 12, later: 10, settled: 11 };
      for (const [id, wait] of Object.entries(waits))
        await ledger.move(id, { state: 'pending', dueAt: NOW + wait, failure: 'timeout' });
      await ledger.move('settled', { state: 'applied', userId: null });
      const dueIds = async (limit: number) =>
        (await ledger.listDue(NOW, limit, NOW + 10)).map(({ id }) => id);
      expect(await dueIds(10)).to.deep.equal(['due', 'ahead', 'farther ahead']);
      expect(await dueIds(2)).to.deep.equal(['due', 'ahead']);
      expect(await dueIds(1)).to.deep.equal(['due']);
    });

    it('returns the state of each delivery, lists pending ones as due and counts by state', async () => {
      for (const id of ['a', 'b', 'c', 'd', 'e']) await ledger.add(sample(id), NOW);
      await ledger.move('a', { state: 'applied', userId: 'user' });
      await ledger.move('b', { state: 'ignored', userId: null, body: null });
      await ledger.move('c', { state: 'waiting', customerId: 'customer' });
      await ledger.move('d', { state: 'dead', failure: 'unknown_product', userId: 'user' });
      const ids = ['a', 'b', 'c', 'd', 'e', 'unknown', ''];
      expect(await Promise.all(ids.map((id) => ledger.findState(id)))).to.deep.equal([
        ...['applied', 'ignored', 'waiting', 'dead', 'pending'],
        ...[undefined, undefined],
      ]);
      expect(await idsDue()).to.deep.equal(['e']);
      expect(await counts()).to.deep.equal([1, 1, 1, 1, 1]);
      for (const id of ['a', 'b', 'c', 'd']) expect(await ledger.add(sample(id), NOW), id).to.equal(false);
    });

    it('stores the body that the move to `ignored` sets', async () => {
      for (const id of ['a', 'b']) await ledger.add({ id, body: '{"type":"order.paid","name":"Zoë"}' }, NOW);
      await ledger.move('a', { state: 'ignored', userId: null, body: '{"type":"order"}' });
      await ledger.move('b', { state: 'ignored', userId: null, body: null });
      expect((await ledger.list({}, null, 10)).map(({ id, type }) => [id, type])).to.deep.equal([
        ['b', null],
        ['a', 'order'],
      ]);
    });

    it('lists the newest deliveries first, all or of one state, without their bodies', async () => {
      for (const [id, at] of Object.entries({ b: 2, a: 2, d: 4, c: 3 })) {
        await ledger.add({ id, body: `{"type":"order.${id}","name":"Zoë"}` }, NOW + at);
      }
      await ledger.move('d', { state: 'dead', failure: 'unknown_product', userId: 'user' });
      await ledger.move('a', { state: 'pending', dueAt: NOW + 9, failure: 'timeout' });
      const ids = async (...args: Parameters<typeof ledger.list>) =>
        (await ledger.list(...args)).map(({ id }) => id);
      expect(await ids({}, null, 10)).to.deep.equal(['d', 'c', 'b', 'a']);
      expect(await ids({}, null, 2)).to.deep.equal(['d', 'c']);
      expect(await ids({}, { id: 'c', receivedAt: NOW + 3 }, 10)).to.deep.equal(['b', 'a']);
      expect(await ids({}, { id: 'b', receivedAt: NOW + 2 }, 1)).to.deep.equal(['a']);
      expect(await ids({ standing: 'pending' }, null, 10)).to.deep.equal(['c', 'b', 'a']);
      expect(await ids({ standing: 'pending' }, { id: 'b', receivedAt: NOW + 2 }, 10)).to.deep.equal(['a']);
      expect(await ids({ standing: 'applied' }, null, 10)).to.deep.equal([]);
      const common = { customerId: null, userId: null, lastFailure: null, tries: 0 };
      expect(await ledger.list({}, null, 1)).to.deep.equal([
        {
          ...{ ...common, id: 'd', standing: 'dead', receivedAt: NOW + 4, dueAt: NOW + 4 },
          ...{ userId: 'user', lastFailure: 'unknown_product', type: 'order.d' },
        },
      ]);
      expect(await ledger.list({}, { id: 'b', receivedAt: NOW + 2 }, 1)).to.deep.equal([
        {
          ...{ ...common, id: 'a', standing: 'pending', receivedAt: NOW + 2, dueAt: NOW + 9 },
          ...{ lastFailure: 'timeout', tries: 1, type: 'order.a' },
        },
      ]);
    });

    it('lists the newest deliveries of a user, with a null type if the body has none', async () => {
      for (const [place, body] of ['{"type":7}', 'null', '', '{"type":"paid"}'].entries()) {
        await ledger.add({ id: `${place}`, body }, NOW + place);
        await ledger.move(`${place}`, { state: 'applied', userId: place === 1 ? 'other' : 'user' });
      }
      const types = async (user: string, limit: number) =>
        (await ledger.listOf(user, limit)).map(listedEvent).map(({ id, type }) => [id, type]);
      expect(await types('user', 10)).to.deep.equal([
        ['3', 'paid'],
        ['2', null],
        ['0', null],
      ]);
      expect(await types('user', 1)).to.deep.equal([['3', 'paid']]);
      await ledger.eraseOf('user', []);
      expect(await types('user', 10)).to.deep.equal([]);
      expect((await ledger.list({}, null, 1)).map(({ id, type }) => [id, type])).to.deep.equal([['3', null]]);
    });

    it('postpones only pending deliveries and counts their attempts', async () => {
      for (const id of ['a', 'b']) await ledger.add(sample(id), NOW);
      await ledger.move('b', { state: 'applied', userId: null });
      for (const id of ['a', 'b', 'unknown'])
        await ledger.move(id, { state: 'pending', dueAt: NOW + 10, failure: 'failed' });
      await ledger.move('a', { state: 'pending', dueAt: NOW + 20, failure: 'failed again' });
      expect(await idsDue(NOW + 19)).to.deep.equal([]);
      expect(await ledger.listDue(NOW + 20, 10, LATEST)).to.deep.equal([
        { ...sample('a'), receivedAt: NOW, tries: 2 },
      ]);
      expect(await ledger.count('applied')).to.equal(1);
    });

    it('releases the deliveries that wait for a customer, and for no other', async () => {
      for (const id of ['a', 'b', 'c', 'd']) await ledger.add(sample(id), NOW);
      for (const id of ['a', 'b']) await ledger.move(id, { state: 'waiting', customerId: 'one' });
      await ledger.move('c', { state: 'waiting', customerId: 'other' });
      await ledger.move('d', { state: 'applied', userId: 'user' });
      expect(await ledger.release('nobody', NOW)).to.equal(0);
      expect(await ledger.release('one', NOW + 5)).to.equal(2);
      expect(await ledger.release('one', NOW + 5)).to.equal(0);
      expect(await idsDue(NOW + 4)).to.deep.equal([]);
      expect(await idsDue(NOW + 5)).to.deep.equal(['a', 'b']);
      expect(await ledger.count('waiting')).to.equal(1);
    });

    it('resets one or all waiting and dead deliveries to pending, without attempts', async () => {
      for (const id of ['a', 'b', 'c', 'd']) await ledger.add(sample(id), NOW);
      await ledger.move('a', { state: 'pending', dueAt: NOW + 1, failure: 'failed' });
      await ledger.move('a', { state: 'dead', failure: 'failed', userId: null });
      await ledger.move('b', { state: 'waiting', customerId: 'customer' });
      await ledger.move('c', { state: 'dead', failure: 'failed', userId: null });
      await ledger.move('d', { state: 'applied', userId: null });
      expect(await ledger.retry('unknown', NOW + 5)).to.equal(0);
      expect(await ledger.retry('d', NOW + 5)).to.equal(0);
      expect(await ledger.retry('a', NOW + 5)).to.equal(1);
      expect(await ledger.listDue(NOW + 5, 10, LATEST)).to.deep.equal([
        { ...sample('a'), receivedAt: NOW + 5, tries: 0 },
      ]);
      expect(await ledger.retry(null, NOW + 5)).to.equal(2);
      expect(await idsDue(NOW + 5)).to.deep.equal(['a', 'b', 'c']);
      expect(await ledger.count('applied')).to.equal(1);
    });

    it('does not move a delivery that is not pending', async () => {
      const moves: Readonly<Record<string, (id: string) => Promise<void>>> = {
        applied: (id) => ledger.move(id, { state: 'applied', userId: 'late user' }),
        ignored: (id) => ledger.move(id, { state: 'ignored', userId: 'late user', body: null }),
        waiting: (id) => ledger.move(id, { state: 'waiting', customerId: 'late customer' }),
        dead: (id) => ledger.move(id, { state: 'dead', failure: 'failed', userId: 'late user' }),
      };
      for (const [to, move] of Object.entries(moves)) await ledger.add(sample(to), NOW).then(() => move(to));
      const before = await counts();
      for (const move of Object.values(moves)) for (const id of Object.keys(moves)) await move(id);
      expect(await counts()).to.deep.equal(before);
      // The deliveries did not change their user or customer either.
      await ledger.eraseOf('nobody', ['nobody']);
      expect(await ledger.release('late customer', NOW)).to.equal(1);
      expect(await idsDue()).to.deep.equal(['waiting']);
    });

    it('does not restore the user of an erased delivery', async () => {
      await ledger.add(sample('a'), NOW);
      await ledger.move('a', { state: 'waiting', customerId: 'customer' });
      await ledger.eraseOf('user', ['customer']);
      await ledger.move('a', { state: 'applied', userId: 'user' });
      await ledger.move('a', { state: 'dead', failure: 'failed', userId: 'user' });
      expect(await counts()).to.deep.equal([0, 0, 0, 1, 0]);
      expect(await ledger.retry('a', NOW)).to.equal(0);
    });

    it('erases the deliveries of a user and their customers, and keeps their ids', async () => {
      for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) await ledger.add(sample(id), NOW);
      await ledger.move('a', { state: 'applied', userId: 'user' });
      await ledger.move('b', { state: 'waiting', customerId: 'one' });
      await ledger.move('c', { state: 'waiting', customerId: 'other' });
      await ledger.move('d', { state: 'applied', userId: 'another user' });
      await ledger.move('e', { state: 'dead', failure: 'failed', userId: 'user' });
      await ledger.eraseOf('user', ['one', 'none', '"]', "'"]);
      expect(await counts()).to.deep.equal([1, 1, 1, 3, 0]);
      expect(await ledger.retry(null, NOW)).to.equal(1);
      const remaining = await ledger.listDue(NOW, 10, LATEST);
      expect(remaining).to.deep.equal(['c', 'f'].map((id) => ({ ...sample(id), receivedAt: NOW, tries: 0 })));
      for (const id of ['a', 'b', 'e']) expect(await ledger.add(sample(id), NOW)).to.equal(false);
      await ledger.eraseOf('user', []);
      expect(await counts()).to.deep.equal([2, 0, 1, 3, 0]);
    });

    it('sweeps deliveries that are not pending from before a time, and accepts their ids again', async () => {
      for (const [id, at] of Object.entries({ a: 1, b: 2, c: 3, d: 4, e: 5, f: 0, g: 5 }))
        await ledger.add(sample(id), NOW + at);
      for (const id of ['a', 'e']) await ledger.move(id, { state: 'applied', userId: null });
      await ledger.move('b', { state: 'ignored', userId: null, body: null });
      await ledger.move('c', { state: 'waiting', customerId: 'customer' });
      await ledger.move('d', { state: 'dead', failure: 'failed', userId: null });
      await ledger.move('g', { state: 'waiting', customerId: 'customer' });
      expect(await ledger.sweep(NOW + 5, 1)).to.equal(1);
      expect(await counts()).to.deep.equal([1, 2, 1, 1, 1]);
      expect(await ledger.sweep(NOW + 5, 10)).to.equal(3);
      expect(await ledger.sweep(NOW + 5, 10)).to.equal(0);
      expect(await counts()).to.deep.equal([1, 1, 1, 0, 0]);
      for (const id of ['a', 'b', 'c', 'd']) expect(await ledger.add(sample(id), NOW), id).to.equal(true);
      for (const id of ['e', 'f', 'g']) expect(await ledger.add(sample(id), NOW), id).to.equal(false);
    });

    it('adds exactly one of 50 concurrent deliveries with the same id', () =>
      inRounds(async (round) => {
        const id = `round ${round}`;
        const added = await race(50, (place) => ledger.add({ id, body: `${place}` }, NOW));
        expect(added.filter(Boolean)).to.have.length(1);
        const dueEvents = await ledger.listDue(NOW, 1_000, LATEST);
        const body = dueEvents.find((event) => event.id === id)?.body;
        expect(body).to.equal(`${added.indexOf(true)}`);
      }));

    it('loses no delivery while deliveries wait and are released concurrently', () =>
      inRounds(async (round) => {
        const ids = Array.from({ length: 50 }, (_, place) => `${round}-${place}`);
        for (const id of ids) await ledger.add(sample(id), NOW);
        const customer = `customer ${round}`;
        await race(100, async (place) => {
          const id = ids[place % 50] ?? '';
          if (place < 50) await ledger.move(id, { state: 'waiting', customerId: customer });
          else await ledger.release(customer, NOW);
        });
        // The caller that makes a delivery wait checks the link again afterwards, and releases.
        await ledger.release(customer, NOW);
        expect(await ledger.count('waiting')).to.equal(0);
        expect((await idsDue(NOW)).filter((id) => id.startsWith(`${round}-`))).to.have.length(50);
      }));

    it('rejects arguments of the wrong type with a `TypeError`', async () => {
      await ledger.add(sample('a'), NOW);
      await refusesNonText((value) => ledger.add({ id: value, body: '' }, NOW));
      await refusesNonText((value) => ledger.add({ id: 'b', body: value }, NOW));
      await refusesNonText((value) => ledger.move(value, { state: 'applied', userId: null }));
      await refusesNonText((value) => ledger.move(value, { state: 'waiting', customerId: 'customer' }));
      await refusesNonText((value) => ledger.move('a', { state: 'waiting', customerId: value }));
      await refusesNonText((value) =>
        ledger.move(value, { state: 'pending', dueAt: NOW, failure: 'failed' }),
      );
      await refusesNonText((value) => ledger.move('a', { state: 'pending', dueAt: NOW, failure: value }));
      await refusesNonText((value) => ledger.move(value, { state: 'dead', failure: 'failed', userId: null }));
      await refusesNonText((value) => ledger.findState(value));
      await refusesNonText((value) => ledger.release(value, NOW));
      await refusesNonText((value) => ledger.eraseOf(value, []));
      await refusesNonText((value) => ledger.eraseOf('user', [value]));
      await refusesNonText((value) => ledger.list({ standing: value as EventState }, null, 1));
      await refusesNonText((value) => ledger.list({}, { id: value, receivedAt: NOW }, 1));
      await refusesNonText((value) => ledger.listOf(value, 1));
      await refusesNonNumbers((value) => ledger.list({}, { id: 'a', receivedAt: value }, 1));
      await refusesNonNumbers((value) => ledger.list({}, null, value));
      await refusesNonNumbers((value) => ledger.listOf('user', value));
      await refusesNonNumbers((value) => ledger.add(sample('b'), value));
      await refusesNonNumbers((value) => ledger.listDue(value, 1, LATEST));
      await refusesNonNumbers((value) => ledger.listDue(NOW, value, LATEST));
      await refusesNonNumbers((value) => ledger.listDue(NOW, 10, value));
      await refusesNonNumbers((value) =>
        ledger.move('a', { state: 'pending', dueAt: value, failure: 'failed' }),
      );
      await refusesNonNumbers((value) => ledger.release('customer', value));
      await refusesNonNumbers((value) => ledger.sweep(value, 1));
      await refusesNonNumbers((value) => ledger.sweep(NOW, value));
      expect(await idsDue()).to.deep.equal(['a']);
    });
  });
};
