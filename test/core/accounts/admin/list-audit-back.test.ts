import { expect } from 'chai';
import { viewRow } from '../../../../core/accounts/admin/list-audit.ts';
import { timeOfId } from '../../../../core/ids.ts';
import { createAccounts, type ListAuditBackInput } from '../../../../core/index.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { NOW, sampleAccount, sampleMail } from '../../../contracts/samples.ts';
import { openPorts } from '../open-core.ts';

const MAX_READS = 20;
const ada = '00000001-0000-7000-8000-000000000000';
const bob = '00000002-0000-7000-8000-000000000000';

describe('The audit log, newest first', () => {
  /** Numbers count the recorded actions from 1; the opening row of the log has number 0 here. */
  const open = async (...actions: readonly (readonly [actor: string, action: string, target: string])[]) => {
    const { ports } = openPorts();
    for (const [id, email] of [
      [ada, 'ada@example.com'],
      [bob, 'bob@example.com'],
    ] as const) {
      await ports.accounts.add(sampleAccount(id, { email }));
    }
    const accounts = createAccounts(ports, { readsPerSearch: MAX_READS });
    const { operate } = accounts;
    const act = (actor: string, action: string, target: string, person?: string) =>
      operate.record(action, target, {}, { actor, ...(person !== undefined && { person }) });
    for (const [actor, action, target] of actions) await act(actor, action, target);
    const numbers = async (filter: ListAuditBackInput) =>
      (await operate.listAuditBack(filter)).rows.map(({ number }) => number - 1);
    return { operate, act, numbers, ports };
  };

  it('returns the newest page, and continues by cursor to the first row', async () => {
    const { operate } = await open(
      ...Array.from({ length: 5 }, (_, at) => ['system', `a${at}`, 'x'] as const),
    );
    const first = await operate.listAuditBack({ limit: 2 });
    expect(first.rows.map(({ action }) => action)).to.deep.equal(['a4', 'a3']);
    const next = await operate.listAuditBack({ limit: 2, cursor: first.cursor ?? '' });
    const last = await operate.listAuditBack({ limit: 2, cursor: next.cursor ?? '' });
    expect([...next.rows, ...last.rows].map(({ action }) => action)).to.deep.equal([
      'a2',
      'a1',
      'a0',
      'audit.begun',
    ]);
    expect(last).to.have.all.keys('rows');
    const actions: unknown[] = [];
    for (let page = await operate.listAuditBack({ limit: 1 }); ; ) {
      actions.push(...page.rows.map(({ action }) => action));
      if (page.cursor === undefined) break;
      page = await operate.listAuditBack({ limit: actions.length === 1 ? 3 : 1, cursor: page.cursor });
    }
    expect(actions).to.deep.equal(['a4', 'a3', 'a2', 'a1', 'a0', 'audit.begun']);
  });

  it('reads one row more than the page if the store applies the whole filter', async () => {
    const { ports } = await open();
    const limits: number[] = [];
    const listBack: typeof ports.audit.listBack = (before, limit, filter) => {
      limits.push(limit);
      return ports.audit.listBack(before, limit, filter);
    };
    const { operate } = createAccounts({ ...ports, audit: { ...ports.audit, listBack } });
    for (const filter of [{}, { user: ada }, { target: ada }, { target: 'outbox' }, { actor: ada }])
      await operate.listAuditBack({ ...filter, limit: 2 });
    expect(limits).to.deep.equal(Array(5).fill(3));
    // The store applies a part of these filters at most; larger reads leave the rest to the core.
    for (const filter of [{ action: 'one' }, { user: ada, actor: bob }, { actor: 'system' }, { since: NOW }])
      await operate.listAuditBack({ ...filter, limit: 2 });
    expect(Math.min(...limits.slice(5))).to.be.above(100);
  });

  it('filters by action, target, actor and user, with ids or emails', async () => {
    const { numbers, act } = await open(
      ['system', 'one', ada],
      [ada, 'two', bob],
      [bob, 'one', ada],
      [ada, 'one', ada],
      ['system', 'two', 'outbox'],
    );
    expect(await numbers({ action: 'one' })).to.deep.equal([4, 3, 1]);
    for (const user of [ada, 'ADA@example.com']) {
      expect(await numbers({ target: user }), user).to.deep.equal([4, 3, 1]);
      expect(await numbers({ actor: user }), user).to.deep.equal([4, 2]);
      expect(await numbers({ user }), user).to.deep.equal([4, 3, 2, 1]);
      expect(await numbers({ user, action: 'two' }), user).to.deep.equal([2]);
      expect(await numbers({ user, actor: 'system' }), user).to.deep.equal([1]);
      expect(await numbers({ actor: bob, target: user }), user).to.deep.equal([3]);
      expect(await numbers({ user, target: bob }), user).to.deep.equal([2]);
    }
    expect(await numbers({ target: 'outbox' })).to.deep.equal([5]);
    expect(await numbers({ actor: 'system' })).to.deep.equal([5, 1, 0]);
    await act('operator:cli', 'three', ada, 'grace');
    await act('operator:cli', 'three', ada, 'grace@corp');
    expect(await numbers({ actor: 'grace' })).to.deep.equal([6]);
    expect(await numbers({ actor: 'grace@corp' })).to.deep.equal([7]);
    expect(await numbers({ actor: 'operator:cli' })).to.deep.equal([7, 6]);
  });

  it('contains the row of an action as soon as the action is done', async () => {
    const { operate } = await open();
    await operate.ban(ada, { reason: 'Spam', until: null }, { actor: bob, reason: 'Spam' });
    const [row] = (await operate.listAuditBack({ user: ada })).rows;
    expect(row).to.deep.include({ action: 'user.banned', actor: bob, reason: 'Spam' });
  });

  it('filters by time, including `since` and excluding `until`', async () => {
    const { operate, numbers } = await open(['system', 'a', 'x'], ['system', 'b', 'x'], ['system', 'c', 'x']);
    const { rows } = await operate.listAuditBack({});
    const [, second = 0] = rows.map(({ at }) => Date.parse(at ?? ''));
    expect(await numbers({ since: second })).to.deep.equal([3, 2]);
    expect(await numbers({ until: second })).to.deep.equal([1, 0]);
    expect(await numbers({ since: second, until: second + 1 })).to.deep.equal([2]);
    expect(await numbers({ since: NOW + 1_000_000_000 })).to.deep.equal([]);
  });

  it('stops a search after a number of rows, returns its position, and continues from there', async () => {
    const rows = Array.from({ length: MAX_READS + 5 }, (_, at) => [
      'system',
      at === 1 ? 'rare' : 'often',
      'x',
    ]);
    const { operate, ports } = await open(...(rows as [string, string, string][]));
    const first = await operate.listAuditBack({ action: 'rare' });
    expect(first.rows).to.deep.equal([]);
    const [last] = await ports.audit.listBack(8, 1);
    expect(first.searchedTo).to.equal(new Date(timeOfId(last?.entryId ?? '')).toISOString());
    const next = await operate.listAuditBack({ action: 'rare', cursor: first.cursor ?? '' });
    expect(next.rows.map(({ number }) => number)).to.deep.equal([3]);
    expect(next).to.have.all.keys('rows');
  });

  it('refuses an invalid cursor, and an unknown email as user or target', async () => {
    const { operate, numbers } = await open(['system', 'a', 'x']);
    for (const cursor of ['', '7', '7.x']) {
      expect(await rejectionOf(() => operate.listAuditBack({ cursor }))).to.include({
        code: 'invalid_cursor',
      });
    }
    for (const filter of [{ user: 'no@example.com' }, { target: 'no@example.com' }]) {
      expect(await rejectionOf(() => operate.listAuditBack(filter))).to.include({ code: 'user_not_found' });
    }
    expect(await numbers({ actor: 'no@example.com' })).to.deep.equal([]);
  });

  it('shows no content of an altered row without a valid time', () => {
    const row = { number: 5, entryId: 'a', target: 'x', actor: 'system', salt: 'a', digest: 'a', value: 'a' };
    for (const content of ['not JSON', 'null', '[]', '{"at":"today"}', '{"at":1e99}'])
      expect(viewRow({ ...row, content }), content).to.include({ number: 5, at: null, action: null });
  });
});

describe('The mails of the outbox, listed for operators', () => {
  it('are filtered by state and listed oldest first, in pages', async () => {
    const { ports } = openPorts();
    const { operate } = createAccounts(ports);
    for (const id of ['a', 'b', 'c', 'd']) await ports.outbox.add(ada, sampleMail(id));
    await ports.outbox.bury('b', NOW, 'refused');
    const first = await operate.listMailsByState({ limit: 3 });
    expect(first.mails.map(({ id }) => id)).to.deep.equal(['a', 'b', 'c']);
    const next = await operate.listMailsByState({ limit: 3, cursor: first.cursor ?? '' });
    expect(next.mails.map(({ id }) => id)).to.deep.equal(['d']);
    expect(next).not.to.have.property('cursor');
    const waiting = await operate.listMailsByState({ state: 'waiting', limit: 2 });
    expect(waiting.mails.map(({ id }) => id)).to.deep.equal(['a', 'c']);
    const { mails } = await operate.listMailsByState({
      state: 'waiting',
      limit: 2,
      cursor: waiting.cursor ?? '',
    });
    expect(mails.map(({ id }) => id)).to.deep.equal(['d']);
    const dead = await operate.listMailsByState({ state: 'dead' });
    expect(dead.mails[0]).to.deep.include({ id: 'b', state: 'dead', lastFailure: 'refused', dueAt: null });
    const error = await rejectionOf(() => operate.listMailsByState({ cursor: 'a' }));
    expect(error).to.include({ code: 'invalid_cursor' });
  });
});
