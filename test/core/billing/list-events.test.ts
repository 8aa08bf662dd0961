import { expect } from 'chai';
import { rejectionOf } from '../../contracts/rejection.ts';
import { openBilling } from './open-billing.ts';

describe('The deliveries of the payment provider', () => {
  const open = async () => {
    const setup = openBilling();
    const { ledger, time } = setup;
    // The provider may use any text as an id.
    for (const [place, id] of ['b %.', 'a 1', 'c\n2'].entries()) {
      await ledger.add(
        { id, body: JSON.stringify({ type: 'order.paid', secret: id }) },
        time.now + Math.floor(place / 2),
      );
    }
    return setup;
  };

  it('are listed for operators newest first, page by page, without their bodies', async () => {
    const { billing, time } = await open();
    const { listEvents } = billing.operate;
    const first = await listEvents({ limit: 1 });
    expect(first.events.map(({ id }) => id)).to.deep.equal(['c\n2']);
    const at = (milliseconds: number) => new Date(milliseconds).toISOString();
    expect(first.events[0]).to.deep.equal({
      ...{ id: 'c\n2', type: 'order.paid', standing: 'pending', tries: 0 },
      ...{ receivedAt: at(time.now + 1), dueAt: at(time.now + 1), lastFailure: null, userId: null },
    });
    const second = await listEvents({ limit: 1, cursor: first.cursor ?? '' });
    const last = await listEvents({ limit: 1, cursor: second.cursor ?? '' });
    expect([second, last].flatMap(({ events }) => events.map(({ id }) => id))).to.deep.equal(['b %.', 'a 1']);
    expect(last).not.to.have.property('cursor');
  });

  it('have a null type if the body has no text type', async () => {
    const { billing, ledger } = openBilling();
    await ledger.add({ id: 'odd', body: '{"type":7}' }, 0);
    expect((await billing.operate.listEvents({})).events[0]).to.include({ id: 'odd', type: null });
  });

  it('are stored once, even if they are repeated', async () => {
    let wakeUps = 0;
    const { deliver, lines } = openBilling({
      wake: () => {
        wakeUps += 1;
      },
    });
    const receipts = [await deliver({ id: 'one', body: '{}' }), await deliver({ id: 'one', body: '{}' })];
    expect(receipts).to.deep.equal([{ received: true }, { received: true }]);
    expect(wakeUps).to.equal(1);
    expect(lines).to.deep.equal([{ level: 'info', event: 'billing.event_received', fields: { id: 'one' } }]);
  });

  it('are listed by state and by user', async () => {
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
