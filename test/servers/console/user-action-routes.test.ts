import { expect } from 'chai';
import { listUserActions } from '../../../core/accounts/admin/user-actions.ts';
import { type User, useService } from '../../support/service.ts';
import { HTTP_ACTIONS, type HttpAct } from './action-table.ts';
import { type OperatorAtPage, openOperator, rowsAbout } from './founder-actions.ts';

const REASON = 'because';

describe('The actions of the console', () => {
  const service = useService();
  let founder: OperatorAtPage;
  let dev: OperatorAtPage;
  let made = 0;

  before(async () => {
    founder = await openOperator(service(), 'founder');
    dev = await openOperator(service(), 'dev');
  });

  const targetOf = async (given: HttpAct): Promise<User> => {
    if (given.unverified === undefined) return service().signUp();
    made += 1;
    const [email, password] = [`unverified${made}@example.com`, 'correct horse battery'];
    await service().post('/api/auth/register', { email, password });
    const { id } = await service().composition.accounts.operate.findUser(email);
    return { id, email, password, token: '', refreshToken: '' };
  };
  /** A user to whom it can be done, and how an operator asks for it. */
  const prepare = async (given: HttpAct) => {
    const target = await targetOf(given);
    await given.first?.(service(), target);
    const [session] = await service().composition.accounts.operate.listSessions(target.id);
    const path = given.path.replace('{sid}', session?.id ?? '');
    const own = typeof given.body === 'function' ? given.body(target) : given.body;
    const ask = (operator: OperatorAtPage, said: object) =>
      operator.send(given.method, `users/${target.id}/${path}`, { body: { ...own, ...said } });
    return { target, ask };
  };
  const seenOf = async ({ id }: User) =>
    (await service().composition.accounts.operate.showUser(id)).updatedAt;

  for (const [name, given] of Object.entries(HTTP_ACTIONS)) {
    it(`${name}: ${given.role}, with a reason, what was seen and a row that says all`, async () => {
      const { target, ask } = await prepare(given);
      const before = (await rowsAbout(service(), target)).length;
      const seen = await seenOf(target);

      for (const [said, code] of [
        [{}, 'invalid_request'],
        [{ reason: '  ' }, 'invalid_reason'],
        [{ reason: 'x'.repeat(501) }, 'invalid_reason'],
      ] as const) {
        const { status, body } = await ask(founder, said);
        expect([status, body.code]).to.deep.equal([400, code]);
      }
      const stale = await ask(founder, { reason: REASON, seen: '2020-01-01T00:00:00.000Z' });
      expect([stale.status, stale.body.code]).to.deep.equal([409, 'changed_meanwhile']);
      if (given.role === 'founder') {
        const low = await ask(dev, { reason: REASON, seen });
        expect([low.status, low.body.code]).to.deep.equal([403, 'operators_only']);
      }
      expect(await rowsAbout(service(), target)).to.have.length(before);

      const operator = given.role === 'dev' ? dev : founder;
      const done = await ask(operator, { reason: ` ${REASON} `, seen });
      expect(done.status, JSON.stringify(done.body)).to.equal(200);
      const row = (await rowsAbout(service(), target)).at(-1);
      expect(row).to.include({
        actor: operator.id,
        action: given.action,
        target: target.id,
        reason: REASON,
        requestId: done.headers.get('x-request-id'),
        address: '127.0.0.1',
      });
      if (given.before) expect(row?.before).to.include(given.before);
      if (given.after) expect(row?.after).to.include(given.after);
      if (name === 'export' || name === 'delete') return;
      expect(done.body.changed).to.equal(true);
      expect(done.body.user?.id).to.equal(target.id);
      expect(done.body.user?.updatedAt).to.equal(await seenOf(target));
      if (given.shown && done.body.user) expect(given.shown(done.body.user)).to.deep.equal(given.expected);
    });
  }

  it('are all in the table of this test', () => {
    const routes = listUserActions().flatMap(([, { console: form }]) =>
      form ? `${form.method ?? 'POST'} ${form.path}` : [],
    );
    const tried = Object.values(HTTP_ACTIONS).map(({ method, path }) => `${method} ${path}`);
    expect(routes.filter((route) => !tried.includes(route))).to.deep.equal([]);
    expect(routes).to.have.length.above(10);
  });

  it('let a founder do what a dev may', async () => {
    for (const given of Object.values(HTTP_ACTIONS).filter(({ role }) => role === 'dev')) {
      const { ask } = await prepare(given);
      expect((await ask(founder, { reason: REASON })).status, given.action).to.equal(200);
    }
  });

  it('need a fresh proof, every one of them', async () => {
    const acts = Object.entries(HTTP_ACTIONS);
    const ready = [];
    for (const [name, given] of acts) ready.push({ name, ...(await prepare(given)) });
    service().clock.advance(11 * 60_000);
    for (const { name, target, ask } of ready) {
      const before = (await rowsAbout(service(), target)).length;
      const { status, body, headers } = await ask(founder, { reason: REASON });
      expect([status, body.code], name).to.deep.equal([403, 'fresh_authentication_needed']);
      expect(headers.get('www-authenticate')).to.include('insufficient_user_authentication');
      expect(await rowsAbout(service(), target)).to.have.length(before);
    }
    expect((await founder.prove()).status).to.equal(200);
    for (const { name, ask } of ready)
      expect((await ask(founder, { reason: REASON })).status, name).to.equal(200);
    expect((await dev.prove()).status).to.equal(200);
  });

  it('refuse what operators would do to themselves, and what devs would do to a founder', async () => {
    const own = { body: { reason: REASON } };
    for (const [method, path, body] of [
      ['POST', 'ban', own],
      ['POST', 'disable', own],
      ['POST', 'reset-two-factor', own],
      ['PUT', 'operator', { body: { reason: REASON, role: 'dev' } }],
      ['DELETE', 'operator', own],
      ['POST', 'delete', { body: { reason: REASON, email: founder.email } }],
    ] as const) {
      const refused = await founder.send(method, `users/${founder.id}/${path}`, body);
      expect([refused.status, refused.body.code], path).to.deep.equal([409, 'own_account']);
    }
    for (const [method, path] of [
      ['POST', 'ban'],
      ['POST', 'disable'],
      ['POST', 'unban'],
      ['POST', 'enable'],
      ['POST', 'reset-two-factor'],
      ['DELETE', 'sessions'],
    ] as const) {
      const low = await dev.send(method, `users/${founder.id}/${path}`, own);
      expect([low.status, low.body.code], path).to.deep.equal([403, 'operators_only']);
    }
  });

  it('refuse an end that is none or has passed, a tier that is none, and another email than the user’s', async () => {
    const { id } = await service().signUp();
    const other = await service().signUp();
    const refusal = async (path: string, body: object) => {
      const reply = await founder.send('POST', `users/${id}/${path}`, { body: { reason: REASON, ...body } });
      return [reply.status, reply.body.code];
    };
    for (const until of ['soon', '2020-01-01T00:00:00Z', '2099-02-30', '2099-01-01T00:00:00'])
      expect(await refusal('ban', { until }), until).to.deep.equal([400, 'invalid_until']);
    expect(await refusal('tier', { tier: 'gold' })).to.deep.equal([400, 'unknown_tier']);
    expect(await refusal('resend-code', {})).to.deep.equal([409, 'already_verified']);
    for (const email of [other.email, 'nobody@example.com', 'ada'])
      expect(await refusal('delete', { email })).to.deep.equal([400, 'email_differs']);
  });

  it('answer 404 for users who are not there', async () => {
    const unknown = '0199a0a0-0000-7000-8000-000000000000';
    const { status, body } = await founder.send('POST', `users/${unknown}/unlock`, {
      body: { reason: REASON },
    });
    expect([status, body.code]).to.deep.equal([404, 'user_not_found']);
  });

  it('give an export as a file, and a receipt of a deletion', async () => {
    const { id, email } = await service().signUp();
    const given = await founder.send('POST', `users/${id}/export`, { body: { reason: REASON } });
    expect(given.headers.get('content-disposition')).to.equal(`attachment; filename="user-${id}.json"`);
    expect(given.body.user?.email).to.equal(email);
    const body = { reason: REASON, email: email.toUpperCase() };
    const gone = await founder.send('POST', `users/${id}/delete`, { body });
    expect(gone.body.receipt).to.deep.include({ userId: id, email, outstanding: [] });
    expect((await founder.send('GET', `users/${id}`)).status).to.equal(404);
  });
});
