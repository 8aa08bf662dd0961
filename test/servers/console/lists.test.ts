import { expect } from 'chai';
import { useRecords } from '../../support/records.ts';
import { type Reply, useService } from '../../support/service.ts';
import { openStorePorts } from '../../support/store-ports.ts';
import { openSignedInOperator, outcome } from './console-client.ts';

const emailsIn = ({ body }: Reply): readonly string[] =>
  (body.users as unknown as readonly { readonly email: string }[]).map(({ email }) => email);

const auditRowsIn = ({ rows }: Reply['body']) => rows as unknown as readonly { readonly action: string }[];

const HOUR_MS = 3_600_000;

describe('The lists of the console', () => {
  const service = useService();
  const records = useRecords(service);

  it('find users by the beginning of the email, page by cursor, and refuse malformed queries', async () => {
    const eve = await openSignedInOperator(service());
    const prefix = `zz${Date.now()}`;
    const emails = ['a', 'b', 'c'].map((letter) => `${prefix}${letter}@example.com`);
    for (const email of emails) {
      await service().composition.accounts.operate.createUser({ email }, { actor: 'operator:test' });
    }
    const first = await eve.get(`/api/admin/directory?prefix=${prefix}&limit=2`);
    expect(emailsIn(first)).to.deep.equal(emails.slice(0, 2));
    const cursor = encodeURIComponent(String(first.body.cursor));
    const next = await eve.get(`/api/admin/directory?prefix=${prefix}&limit=2&cursor=${cursor}`);
    expect(next.body.users).to.have.length(1);
    expect(next.body.users?.[0]).to.deep.include({ email: emails[2], operator: null, banned: null });
    expect(next.body).not.to.have.any.keys('cursor', 'searchedTo');
    const operators = await eve.get('/api/admin/directory?flag=operator');
    expect(emailsIn(operators)).to.include(eve.user.email);
    for (const [query, code] of [
      ['prefix=z', 'invalid_prefix'],
      ['tier=gold', 'unknown_tier'],
      ['flag=rich', 'invalid_request'],
      ['limit=0', 'invalid_request'],
      ['cursor=x', 'invalid_cursor'],
    ]) {
      const refused = await eve.get(`/api/admin/directory?${query}`);
      expect([refused.status, refused.body.code], query).to.deep.equal([400, code]);
    }
  });

  it('return the audit log newest first, filtered by target, action and time', async () => {
    const eve = await openSignedInOperator(service());
    const { operate } = service().composition.accounts;
    await operate.record('test.first', eve.user.id, { x: 1 }, { actor: 'operator:test', reason: 'why' });
    await operate.record('test.second', 'outbox', {}, { actor: eve.user.id });
    const first = await eve.get('/api/admin/audit?limit=1');
    expect(first.body.rows).to.have.length(1);
    expect(first.body).to.have.property('cursor');
    // The relay retries on a slow store, so a row of an earlier change may be written after these rows.
    const { body } = await eve.get('/api/admin/audit');
    const rows = auditRowsIn(body).filter(({ action }) => action.startsWith('test.'));
    expect(rows.map(({ action }) => action)).to.deep.equal(['test.second', 'test.first']);
    expect(rows[0]).to.deep.include({ actor: eve.user.id, erased: false });
    expect(body.emails).to.include({ [eve.user.id]: eve.user.email });
    const about = await eve.get(`/api/admin/audit?target=${eve.user.email}&action=test.first`);
    expect(about.body.rows).to.have.length(1);
    expect(about.body.rows?.[0]).to.deep.include({ reason: 'why', after: { x: 1 }, before: null });
    const since = '2999-01-01T00:00:00Z';
    expect((await eve.get(`/api/admin/audit?since=${since}`)).body.rows).to.deep.equal([]);
    expect((await eve.get('/api/admin/audit?until=tomorrow')).body.code).to.equal('invalid_time');
    expect((await eve.get(`/api/admin/audit?target=nobody@example.com`)).body.code).to.equal(
      'user_not_found',
    );
  });

  it('refuse an unknown mail or an empty reason for a retry, and retry all mails', async () => {
    const eve = await openSignedInOperator(service());
    // Waiting mails to and about the operator would be retried and counted.
    await records().allSent();
    const unknown = await eve.act('POST', '/api/admin/mails/0199a0b1-3c00-7c01-8e55-2f1b9c3d4e5f/retry');
    expect([unknown.status, unknown.body.code]).to.deep.equal([404, 'mail_not_found']);
    const all = await eve.act('POST', '/api/admin/mails/retry');
    expect([all.status, all.body]).to.deep.equal([200, { count: 0 }]);
    expect((await eve.act('POST', '/api/admin/mails/retry', { reason: ' ' })).body.code).to.equal(
      'invalid_reason',
    );
  });

  it('replay a dead delivery, with audit rows that name the operator and the reason', async () => {
    const eve = await openSignedInOperator(service());
    const missing = await eve.act('POST', '/api/admin/deliveries/nothing/replay');
    expect([missing.status, missing.body.code]).to.deep.equal([404, 'event_not_found']);
    const store = openStorePorts(service().folder);
    // The delivery is not due yet, so that the service does not apply it before it is marked dead.
    const receivedAt = service().clock.now() + HOUR_MS;
    await store.ledger.add({ id: 'msg 1/2', body: '{"type":"order.paid"}' }, receivedAt);
    await store.ledger.move('msg 1/2', { state: 'dead', failure: 'unknown_product', userId: null });
    await store.close();
    const listed = await eve.get('/api/admin/deliveries?standing=dead');
    expect(listed.body.deliveries?.[0]).to.deep.include({ id: 'msg 1/2', type: 'order.paid', dueAt: null });
    expect(listed.body.emails).to.deep.equal({});
    const replay = `/api/admin/deliveries/${encodeURIComponent('msg 1/2')}/replay`;
    expect(outcome(await eve.act('POST', replay, { reason: ' ' }))).to.deep.equal([400, 'invalid_reason']);
    const replayed = await eve.act('POST', replay);
    expect([replayed.status, replayed.body]).to.deep.equal([200, { count: 1 }]);
    const { body } = await eve.get(`/api/admin/audit?target=${encodeURIComponent('delivery:msg 1/2')}`);
    const row = { target: 'delivery:msg 1/2', actor: eve.user.id, reason: 'a test', address: '127.0.0.1' };
    expect(body.rows).to.have.length(2);
    expect(body.rows?.[0]).to.deep.include({ ...row, action: 'billing.replayed' });
    expect(body.rows?.[0]?.after).to.include({ replayed: 1 });
    expect(body.rows?.[1]).to.deep.include({ ...row, action: 'billing.replay_started' });
    const unknown = await eve.get(`/api/admin/audit?target=${encodeURIComponent('delivery:nothing')}`);
    expect(unknown.body.rows).to.deep.equal([]);
  });
});
