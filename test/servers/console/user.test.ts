import { expect } from 'chai';
import { useService } from '../../support/service.ts';
import { type OperatorAtPage, openOperator, rowsAbout } from './open-operator.ts';

describe('The console’s view of a user', () => {
  const service = useService();
  let eve: OperatorAtPage;
  before(async () => {
    eve = await openOperator(service(), 'dev');
  });

  it('contains access and its source, sessions, audit rows, billing and mails, and logs each read', async () => {
    const { id, email } = await service().signUp();
    const { operate } = service().composition.accounts;
    await operate.setTier(id, { tier: 'pro' }, { actor: eve.id, reason: 'a friend' });
    await operate.sendReset(id, { actor: eve.id });
    await rowsAbout(service(), { id });
    const before = service().log.lines.length;

    const { user } = (await eve.send('GET', `users/${id}`)).body;
    expect(user).to.deep.include({ id, email, tier: 'pro', files: { count: 0 }, sessions: 1 });
    expect(user?.why).to.deep.include({ effective: 'grant', billing: null, claim: null });
    expect(user?.why?.grant).to.deep.include({
      ...{ fields: { tier: 'pro' }, by: eve.id, byEmail: eve.email, reason: 'a friend' },
    });
    const { sessions } = (await eve.send('GET', `users/${id}/sessions`)).body;
    expect(sessions).to.have.length(1);
    const { rows } = (await eve.send('GET', `users/${id}/audit`)).body;
    expect(Array.from(rows as never, ({ action }) => action)).to.deep.equal([
      'password.reset_sent',
      'entitlement.changed',
    ]);
    const paid = (await eve.send('GET', `users/${id}/billing`)).body;
    expect(paid).to.deep.equal({ billing: null, deliveries: [] });
    expect((await eve.send('GET', `users/${id}/mails`)).body.mails).to.be.an('array');

    const views = service()
      .log.lines.slice(before)
      .filter(({ event }) => event === 'operator.viewed');
    expect(views.map(({ fields }) => [fields.userId, fields.id, fields.reason])).to.deep.equal(
      ['user', 'sessions', 'audit', 'billing', 'mails'].map((view) => [id, eve.id, view]),
    );
  });

  it('pages its audit rows by cursor, and marks sessions of the console', async () => {
    const { id } = await service().signUp();
    const { operate } = service().composition.accounts;
    for (const tier of ['pro', 'enterprise', 'pro']) await operate.setTier(id, { tier }, { actor: eve.id });
    await rowsAbout(service(), { id });
    const first = (await eve.send('GET', `users/${id}/audit?limit=2`)).body;
    const second = (await eve.send('GET', `users/${id}/audit?limit=2&cursor=${first.cursor}`)).body;
    expect(first.rows).to.have.length(2);
    expect(second.rows).to.have.length(1);
    expect(second).not.to.have.property('cursor');
    const wrong = await eve.send('GET', `users/${id}/audit?cursor=wrong`);
    expect([wrong.status, wrong.body.code]).to.deep.equal([400, 'invalid_cursor']);

    const { sessions } = (await eve.send('GET', `users/${eve.id}/sessions`)).body;
    const kinds = Array.from(sessions as never, ({ kind }: { kind?: string }) => kind);
    expect(kinds).to.deep.equal(['console', undefined]);
  });

  it('accepts only ids of existing users, no emails', async () => {
    for (const path of ['', '/sessions', '/billing', '/mails']) {
      const unknown = await eve.send('GET', `users/0199a0a0-0000-7000-8000-000000000000${path}`);
      expect([unknown.status, unknown.body.code], path).to.deep.equal([404, 'user_not_found']);
      const byEmail = await eve.send('GET', `users/${encodeURIComponent(eve.email)}${path}`);
      expect([byEmail.status, byEmail.body.code], path).to.deep.equal([400, 'invalid_request']);
    }
  });
});
