import { expect } from 'chai';
import { indexes } from '../../../../adapters/mongodb/collections.ts';
import { mongoPorts } from '../../../../adapters/mongodb/ports.ts';
import type { StorePorts } from '../../../../adapters/store.ts';
import { tombstoneOf } from '../../../../core/accounts/account.ts';
import {
  following,
  headAfter,
  NOW,
  sampleAccount,
  sampleAuditRow,
  sampleFlow,
  sampleLoginKey,
  sampleMail,
  sampleSession,
  sampleStep,
} from '../../../contracts/samples.ts';
import { mongoForTests } from '../mongo-for-tests.ts';
import { losingAnswers } from './losing-answers.ts';

describe('A MongoDB store that loses every first answer', () => {
  const database = mongoForTests().useDatabase(indexes);
  let ports: StorePorts;
  beforeEach(() => {
    ports = mongoPorts(losingAnswers(database()), { clock: { now: () => NOW } });
  });

  it('adds, saves, moves, deletes and removes an account once, and reports each success', async () => {
    const store = ports.accounts;
    const account = sampleAccount('a');
    expect(await store.add(account)).to.equal(true);
    expect(await store.add(sampleAccount('b', { email: account.email }))).to.equal(false);
    expect(await store.save({ ...account, displayName: 'New' })).to.equal(true);
    const moved = { ...account, email: 'moved@example.com', version: 2 };
    expect(await store.save(moved)).to.equal(true);
    expect(await store.save(moved)).to.equal(false);
    expect(await store.find('a')).to.deep.equal({ ...moved, version: 3 });
    expect(await store.save(tombstoneOf({ ...moved, version: 3 }, NOW))).to.equal(true);
    for (const email of [account.email, moved.email]) {
      const rival = sampleAccount(`other of ${email}`, { email });
      expect(await store.add(rival)).to.equal(true);
      expect(await store.remove(rival)).to.equal(true);
      expect(await store.remove(rival)).to.equal(false);
    }
  });

  it('adds accounts once in batches, and reports each success', async () => {
    const store = ports.accounts;
    const all = ['a', 'b', 'c'].map((id) => sampleAccount(id));
    await store.add(sampleAccount('z', { email: 'c@example.com' }));
    const afterBatch = async () => undefined;
    expect(await store.addAll(all, afterBatch)).to.deep.equal([true, true, false]);
    expect(await store.addAll(all, afterBatch)).to.deep.equal([false, false, false]);
    expect(await store.find('a')).to.deep.equal(sampleAccount('a'));
  });

  it('adds, changes and ends a session once', async () => {
    const store = ports.sessions;
    for (const id of ['a', 'b', 'c', 'd']) await store.add(sampleSession(id), 3);
    expect((await store.list('user')).map(({ id }) => id)).to.deep.equal(['d', 'c', 'b']);
    const changed = sampleSession('b', { refreshDigest: 'next' });
    expect(await store.change(sampleSession('b'), changed)).to.equal(true);
    expect(await store.find('user', 'b')).to.deep.equal(changed);
    expect(await store.change(sampleSession('b'), changed)).to.equal(false);
    expect(await store.end('user', 'b', NOW)).to.equal(true);
    expect(await store.end('user', 'b', NOW)).to.equal(false);
    expect(await store.endAll('user', { keep: null, beforeVersion: null }, NOW)).to.equal(2);
  });

  it('counts an attempt once', async () => {
    const store = ports.attempts;
    for (const [now, count] of [
      [NOW, 1],
      [NOW + 1, 2],
      [NOW + 2, 3],
      [NOW + 5_000, 1],
      [NOW + 5_001, 2],
    ] as const) {
      expect((await store.add('a', 1_000, now)).count).to.equal(count);
    }
    const counts = ['b', 'c'].map((key) => ({ key, most: 1 }));
    expect(await store.addInTurn(counts, 1_000, NOW)).to.equal(undefined);
    expect(await store.addInTurn(counts, 1_000, NOW)).to.deep.equal({ count: 2, firstAt: NOW });
    expect(await store.find('c', NOW)).to.deep.equal({ count: 1, firstAt: NOW });
  });

  it('adds, changes and removes a domain once', async () => {
    const store = ports.customDomains;
    const record = { domain: 'a.dev', revision: 'first', owner: null, claims: [], lookAt: NOW };
    for (const _ of ['new', 'anew']) {
      expect(await store.add(record)).to.equal(true);
      expect(await store.add(record)).to.equal(false);
      expect(await store.save({ ...record, revision: 'second' }, 'first')).to.equal(true);
      expect(await store.remove('a.dev', 'second')).to.equal(true);
      expect(await store.remove('a.dev', 'second')).to.equal(false);
    }
  });

  it('adds, replaces and removes a login key once', async () => {
    const store = ports.loginKeys;
    const next = sampleLoginKey('a', { userId: 'other', mark: 'second' });
    expect(await store.add(sampleLoginKey('a'))).to.equal(true);
    expect(await store.add(next)).to.equal(false);
    expect(await store.replace(next, 'first')).to.equal(true);
    expect(await store.replace({ ...next, mark: 'third' }, 'first')).to.equal(false);
    expect(await store.find('a')).to.deep.equal(next);
    await store.remove({ key: 'a', mark: 'second' });
    expect(await store.find('a')).to.equal(undefined);
  });

  it('adds a flow and advances it by a step once', async () => {
    const store = ports.flows;
    expect(await store.add(sampleFlow('a'))).to.equal(true);
    expect(await store.add(sampleFlow('a'))).to.equal(false);
    expect(await store.step(sampleStep('a'), NOW)).to.equal(true);
    expect(await store.step(sampleStep('a'), NOW)).to.equal(false);
  });

  it('starts the audit log and appends to it once', async () => {
    const { audit } = ports;
    const rows = [1, 2, 3].map((number) => sampleAuditRow(number));
    const [first = sampleAuditRow(1), ...others] = rows;
    expect(await audit.appendFirst(first, headAfter(first))).to.equal(true);
    expect(await audit.append(following(...others))).to.equal(true);
    expect(await audit.list(1, 10)).to.deep.equal(rows);
    expect(await audit.eraseAbout('user', [])).to.equal(3);
  });

  it('counts one attempt when it claims a mail', async () => {
    const { outbox } = ports;
    await outbox.add('user', sampleMail('a'));
    expect(await outbox.claim('a', 1)).to.equal(true);
    expect(await outbox.listFor(sampleMail('a').to)).to.have.nested.property('[0].tries', 1);
    expect(await outbox.retry('a', NOW)).to.equal(1);
  });

  it('takes and renews a lease under one fence', async () => {
    const { leases } = ports;
    for (const _ of ['taken', 'renewed'])
      expect(await leases.take('relay', 'a', 1_000)).to.deep.equal({ name: 'relay', fence: 1 });
    await leases.release('relay', 'a');
    expect(await leases.take('relay', 'b', 1_000)).to.deep.equal({ name: 'relay', fence: 2 });
  });

  it('adds a delivery, counts an attempt and schedules a replay once', async () => {
    const { ledger } = ports;
    expect(await ledger.add({ id: 'a', body: '{}' }, NOW)).to.equal(true);
    await ledger.move('a', { state: 'pending', dueAt: NOW, failure: 'failed' });
    expect(await ledger.listDue(NOW, 10, Number.MAX_SAFE_INTEGER)).to.have.nested.property('[0].tries', 1);
    await ledger.move('a', { state: 'dead', failure: 'failed', userId: null });
    expect(await ledger.retry('a', NOW)).to.equal(1);
  });

  it('links a customer once, also to another user', async () => {
    const { links } = ports;
    expect(await links.link('customer', 'one')).to.equal(true);
    expect(await links.link('customer', 'other')).to.equal(true);
    expect(await links.link('customer', 'other')).to.equal(false);
  });
});
