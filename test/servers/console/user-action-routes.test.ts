import { expect } from 'chai';
import sinon from 'sinon';
import { listUserActions } from '../../../core/accounts/admin/user-actions.ts';
import { unavailable } from '../../../core/errors.ts';
import { type User, useService } from '../../support/service.ts';
import { HTTP_ACTIONS, type HttpAction } from './action-table.ts';
import { outcome } from './console-client.ts';
import { type OperatorAtPage, openOperator, rowsAbout } from './open-operator.ts';

const REASON = 'because';
const UNKNOWN = '0199a0a0-0000-7000-8000-000000000000';

describe('The actions of the console', () => {
  const service = useService();
  let founder: OperatorAtPage;
  let dev: OperatorAtPage;
  let unverified = 0;

  before(async () => {
    founder = await openOperator(service(), 'founder');
    dev = await openOperator(service(), 'dev');
  });

  const targetOf = async (entry: HttpAction): Promise<User> => {
    if (entry.unverified === undefined) return service().signUp();
    unverified += 1;
    const [email, password] = [`unverified${unverified}@example.com`, 'correct horse battery'];
    await service().post('/api/auth/register', { email, password });
    const { id } = await service().composition.accounts.operate.findUser(email);
    return { id, email, password, token: '', refreshToken: '' };
  };
  const send = (operator: OperatorAtPage, entry: HttpAction, target: User, more: object, sid = '') => {
    const path = entry.path.replace('{sid}', sid);
    const own = typeof entry.body === 'function' ? entry.body(target) : entry.body;
    return operator.send(entry.method ?? 'POST', `users/${target.id}/${path}`, { body: { ...own, ...more } });
  };
  const seenOf = async ({ id }: User) =>
    (await service().composition.accounts.operate.showUser(id)).updatedAt;

  for (const [name, entry] of Object.entries(HTTP_ACTIONS)) {
    it(`${name}: requires ${entry.role ?? 'dev'} and the current version, and writes an audit row with the reason`, async () => {
      const target = await targetOf(entry);
      await entry.prepare?.(service(), target);
      const [session] = await service().composition.accounts.operate.listSessions(target.id);
      const before = (await rowsAbout(service(), target)).length;
      const seen = await seenOf(target);
      const act = (operator: OperatorAtPage, more: object) =>
        send(operator, entry, target, { reason: REASON, ...more }, session?.id);

      const stale = await act(founder, { seen: '2020-01-01T00:00:00.000Z' });
      expect(outcome(stale)).to.deep.equal([409, 'changed_meanwhile']);
      if (entry.role === 'founder')
        expect(outcome(await act(dev, { seen }))).to.deep.equal([403, 'operators_only']);
      expect(await rowsAbout(service(), target)).to.have.length(before);

      const operator = entry.role === 'founder' ? founder : dev;
      const done = await act(operator, { reason: ` ${REASON} `, seen });
      expect(done.status, JSON.stringify(done.body)).to.equal(200);
      const row = (await rowsAbout(service(), target)).at(-1);
      expect(row).to.include({
        actor: operator.id,
        action: entry.action,
        target: target.id,
        reason: REASON,
        requestId: done.headers.get('x-request-id'),
        address: '127.0.0.1',
      });
      if (entry.after) expect(row?.after).to.include(entry.after);
      if (name === 'export' || name === 'delete') return;
      expect(done.body.changed).to.equal(true);
      expect(done.body.user?.id).to.equal(target.id);
      expect(done.body.user?.updatedAt).to.equal(await seenOf(target));
    });
  }

  it('are all in the table of this test', () => {
    const routes = listUserActions().flatMap(([, { console: form }]) =>
      form ? `${form.method ?? 'POST'} ${form.path}` : [],
    );
    const tested = Object.values(HTTP_ACTIONS).map(({ method = 'POST', path }) => `${method} ${path}`);
    expect(routes.filter((route) => !tested.includes(route))).to.deep.equal([]);
    expect(routes).to.have.length.above(10);
  });

  it('all require a fresh proof', async () => {
    const unknown = { id: UNKNOWN, email: 'nobody@example.com', password: '', token: '', refreshToken: '' };
    service().clock.advance(11 * 60_000);
    for (const [name, entry] of Object.entries(HTTP_ACTIONS)) {
      const refused = await send(founder, entry, unknown, { reason: REASON }, 'x');
      expect(outcome(refused), name).to.deep.equal([403, 'fresh_authentication_needed']);
      expect(refused.headers.get('www-authenticate')).to.include('insufficient_user_authentication');
    }
    expect((await founder.prove()).status).to.equal(200);
    expect((await dev.prove()).status).to.equal(200);
    const done = await founder.send('POST', `users/${UNKNOWN}/unlock`, { body: { reason: REASON } });
    expect(outcome(done)).to.deep.equal([404, 'user_not_found']);
  });

  it('are refused on one’s own account, and on a founder for a dev', async () => {
    for (const [path, body] of [
      ['ban', {}],
      ['delete', { email: founder.email }],
    ] as const) {
      const own = await founder.send('POST', `users/${founder.id}/${path}`, {
        body: { reason: REASON, ...body },
      });
      expect(outcome(own), path).to.deep.equal([409, 'own_account']);
    }
    const byDev = await dev.send('POST', `users/${founder.id}/ban`, { body: { reason: REASON } });
    expect(outcome(byDev)).to.deep.equal([403, 'operators_only']);
  });

  it('refuse a malformed reason or end, an unknown tier, a verified user’s code, and a wrong email', async () => {
    const { id } = await service().signUp();
    const other = await service().signUp();
    const refusal = async (path: string, body: object) =>
      outcome(await founder.send('POST', `users/${id}/${path}`, { body: { reason: REASON, ...body } }));
    expect(await refusal('unlock', { reason: undefined })).to.deep.equal([400, 'invalid_request']);
    expect(await refusal('unlock', { reason: '  ' })).to.deep.equal([400, 'invalid_reason']);
    for (const until of ['soon', '2020-01-01T00:00:00Z', '2099-02-30', '2099-01-01T00:00:00'])
      expect(await refusal('ban', { until }), until).to.deep.equal([400, 'invalid_until']);
    expect(await refusal('tier', { tier: 'gold' })).to.deep.equal([400, 'unknown_tier']);
    expect(await refusal('resend-code', {})).to.deep.equal([409, 'already_verified']);
    for (const email of [other.email, 'nobody@example.com', 'ada', id])
      expect(await refusal('delete', { email })).to.deep.equal([400, 'email_differs']);
    const findUser = sinon.stub(service().composition.accounts.operate, 'findUser').callThrough();
    findUser.withArgs(other.email).rejects(unavailable('store_unavailable', 'Later.'));
    const failed = await refusal('delete', { email: other.email });
    findUser.restore();
    expect(failed).to.deep.equal([503, 'store_unavailable']);
  });

  it('return an export as a file, and a receipt of a deletion', async () => {
    const { id, email } = await service().signUp();
    const exported = await founder.send('POST', `users/${id}/export`, { body: { reason: REASON } });
    expect(exported.headers.get('content-disposition')).to.equal(`attachment; filename="user-${id}.json"`);
    expect(exported.body.user?.email).to.equal(email);
    const body = { reason: REASON, email: email.toUpperCase() };
    const deleted = await founder.send('POST', `users/${id}/delete`, { body });
    expect(deleted.body.receipt).to.deep.include({ userId: id, email, outstanding: [] });
    expect((await founder.send('GET', `users/${id}`)).status).to.equal(404);
  });
});
