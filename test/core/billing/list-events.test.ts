import { expect } from 'chai';
import { rejectionOf } from '../../contracts/rejection.ts';
import { openBilling } from './open-billing.ts';

describe('The deliveries of the payment provider, to an operator', () => {
  const open = async () => {
    const setup = openBilling();
    const { ledger, time } = setup;
    // The provider may choose any id.
    for (const [place, id] of ['b %.', 'a 1', 'c\n2'].entries()) {
      await ledger.add(
        { id, body: JSON.stringify({ type: 'order.paid', secret: id }) },
        time.now + Math.floor(place / 2),
      );
    }
    return setup;
  };

  it('are listed newest first, a page at a time, without what they say', async () => {
    const { billing, time } = await open();
    const { listEvents } = billing.operate;
    const first = await listEvents({ limit: 2 });
    expect(first.events.map(({ id }) => id)).to.deep.equal(['c\n2', 'b %.']);
    const at = (milliseconds: number) => new Date(milliseconds).toISOString();
    expect(first.events[0]).to.deep.equal({
      ...{ id: 'c\n2', type: 'order.paid', standing: 'pending', tries: 0 },
      ...{ receivedAt: at(time.now + 1), dueAt: at(time.now + 1), lastFailure: null, userId: null },
    });
    const next = await listEvents({ limit: 2, cursor: first.cursor ?? '' });
    expect(next.events.map(({ id }) => id)).to.deep.equal(['a 1']);
    expect(next).not.to.have.property('cursor');
  });

  it('are listed by standing, and of a user', async () => {
    const { billing, ledger } = await open();
    const { listEvents, listEventsOf } = billing.operate;
    await ledger.move('a 1', { state: 'dead', failure: 'unknown_product', userId: 'user' });
    const { events } = await listEvents({ standing: 'dead' });
    expect(events.map(({ id, dueAt, lastFailure }) => [id, dueAt, lastFailure])).to.deep.equal([
      ['a 1', null, 'unknown_product'],
    ]);
    expect(await listEventsOf('user')).to.deep.equal(events);
    expect(await listEventsOf('nobody')).to.deep.equal([]);
    const error = await rejectionOf(() => listEvents({ cursor: 'x' }));
    expect(error).to.include({ kind: 'invalid', code: 'invalid_cursor' });
  });
});
