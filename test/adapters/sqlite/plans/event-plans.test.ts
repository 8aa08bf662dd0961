import { expect } from 'chai';
import { makeSqlEventLedger } from '../../../../adapters/sql/event-ledger.ts';
import { NOW } from '../../../contracts/samples.ts';
import { watchPlans } from './plans.ts';

describe('The queries for deliveries in SQLite', () => {
  const plans = watchPlans(makeSqlEventLedger);

  /** The steps on the table itself, of all that the call asks. */
  const stepsOf = async (call: (ledger: ReturnType<typeof plans.stores>) => Promise<unknown>) => {
    await plans.stores().add({ id: 'waiting', body: '' }, NOW);
    await plans.stores().move('waiting', { state: 'waiting', customerId: 'customer' });
    const steps = (await plans.plansOf(() => call(plans.stores()))).flat();
    expect(steps.filter((step) => /TEMP B-TREE/.test(step))).to.deep.equal([]);
    return steps.filter((step) => / billing_events\b/.test(step));
  };
  const search = (rest: string) => `SEARCH billing_events USING ${rest}`;
  const BY_ID = search('INDEX sqlite_autoindex_billing_events_1 (id=?)');

  it('list what is due in the order of its index', async () => {
    expect(await stepsOf((ledger) => ledger.listDue(NOW, 10))).to.deep.equal([
      search('INDEX billing_events_due (standing=? AND due_at<?)'),
    ]);
  });

  it('erase what was said about a user by user and by customer, each in its index', async () => {
    expect(await stepsOf((ledger) => ledger.eraseOf('user', ['one', 'two']))).to.deep.equal([
      search('INDEX billing_events_user (user_id=?)'),
      search('COVERING INDEX billing_events_customer (customer_id=?)'),
    ]);
  });

  it('release and count without a look at any other', async () => {
    const ofCustomer = 'INDEX billing_events_customer (customer_id=? AND standing=?)';
    expect(await stepsOf((ledger) => ledger.release('customer', NOW))).to.deep.equal([
      search(`COVERING ${ofCustomer}`),
      search(ofCustomer),
    ]);
    expect(await stepsOf((ledger) => ledger.count('dead'))).to.deep.equal([
      search('COVERING INDEX billing_events_standing (standing=?)'),
    ]);
  });

  it('change a single one by its id', async () => {
    for (const call of [
      (ledger) => ledger.move('a', { state: 'applied', userId: 'user' }),
      (ledger) => ledger.move('a', { state: 'waiting', customerId: 'customer' }),
      (ledger) => ledger.move('a', { state: 'pending', dueAt: NOW, failure: 'failed' }),
      (ledger) => ledger.move('a', { state: 'dead', failure: 'failed', userId: null }),
      (ledger) => ledger.retry('a', NOW),
    ] satisfies Parameters<typeof stepsOf>[0][]) {
      expect(await stepsOf(call), `${call}`).to.deep.equal([BY_ID]);
    }
  });

  it('list each list in the order of its index, and no more than its page', async () => {
    const place = { id: 'a', receivedAt: NOW };
    const behind = '(received_at,id)<(?,?)';
    expect(await stepsOf((ledger) => ledger.list({}, place, 10))).to.deep.equal([
      search(`INDEX billing_events_received (${behind})`),
    ]);
    expect(await stepsOf((ledger) => ledger.list({ standing: 'dead' }, place, 10))).to.deep.equal([
      search(`INDEX billing_events_standing (standing=? AND ${behind})`),
    ]);
    expect(await stepsOf((ledger) => ledger.list({ standing: 'dead' }, null, 10))).to.deep.equal([
      search('INDEX billing_events_standing (standing=?)'),
    ]);
    expect(await stepsOf((ledger) => ledger.listOf('user', 10))).to.deep.equal([
      search('INDEX billing_events_user (user_id=?)'),
    ]);
  });

  it('retry all that were given up, and sweep old ones, out of an index', async () => {
    expect(await stepsOf((ledger) => ledger.retry(null, NOW))).to.deep.equal([
      search('INDEX billing_events_standing (standing=?)'),
    ]);
    const [found, removed] = await stepsOf((ledger) => ledger.sweep(NOW, 10));
    expect([found, removed].join('; ')).to.include('COVERING INDEX billing_events_received (received_at<?)');
  });
});
