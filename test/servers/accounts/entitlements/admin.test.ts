import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { useRecords } from '../../../support/records.ts';
import { type AnyJson, type RequestOptions, type User, useService } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';

describe('The admin routes', () => {
  const service = useService({ SELF_ENTITLEMENT: 'ignore' });
  const records = useRecords(service);
  const internal = (): RequestOptions => ({
    headers: { 'x-internal-secret': readFileSync(join(service().folder, 'internal-secret'), 'utf8').trim() },
  });
  const list = (query = '', as: RequestOptions = internal()) =>
    service().request('GET', `/api/admin/users${query}`, as);
  const search = (body: object, as: RequestOptions = internal()) =>
    service().request('POST', '/api/admin/users/search', { ...as, body });
  const stats = (as: RequestOptions = internal()) => service().request('GET', '/api/admin/users/stats', as);
  const patch = (userId: string, body: object, as: RequestOptions = internal()) =>
    service().request('PATCH', `/api/admin/users/${userId}`, { ...as, body: { service: 'DROP', ...body } });
  const makeOperator = async (role: string): Promise<User> => {
    const user = await service().signUp();
    await patch(user.id, { accessFlags: { isOperatorTeam: true, operatorTeamRole: role } });
    return user;
  };

  it('accept the internal secret and operators alone', async () => {
    const user = await service().signUp();
    for (const call of [
      (as: RequestOptions) => list('', as),
      (as: RequestOptions) => search({}, as),
      (as: RequestOptions) => stats(as),
      (as: RequestOptions) => patch(user.id, { tier: 'pro' }, as),
    ]) {
      expect((await call({})).status).to.equal(401);
      expect((await call({ headers: { 'x-internal-secret': 'wrong' } })).status).to.equal(401);
      const refused = await call({ token: user.token });
      expect([refused.status, refused.body.code]).to.deep.equal([403, 'operators_only']);
    }
    for (const role of ['founder', 'dev']) {
      const { token } = await makeOperator(role);
      expect((await stats({ token })).status).to.equal(200);
    }
    const { token } = await makeOperator('intern');
    expect((await stats({ token })).status).to.equal(403);
  });

  it('change an entitlement, show it to a live token at once, and audit the change', async () => {
    const operator = await makeOperator('founder');
    const user = await service().signUp();
    const { status, body } = await patch(
      user.id,
      { tier: 'pro', customApiKeyLimit: 3 },
      { token: operator.token },
    );
    expect(status).to.equal(200);
    expect(body.entitlement).to.deep.include({
      userId: user.id,
      tier: 'pro',
      isPremium: true,
      customApiKeyLimit: 3,
    });
    const own = await service().request('GET', '/api/services', { token: user.token });
    expect(own.body.entitlements).to.deep.equal([body.entitlement]);
    await patch(user.id, { tier: null });

    const rows = async () =>
      (await records().auditAbout(user.id)).filter((row) => row.action === 'entitlement.changed');
    await until(async () => (await rows()).length === 2);
    const [grantRow, removalRow] = await rows();
    expect(grantRow).to.deep.include({ actor: operator.id, target: user.id, before: null });
    expect(grantRow?.after).to.deep.include({ tier: 'pro', grantedTier: 'pro', customApiKeyLimit: 3 });
    expect(grantRow?.requestId).to.be.a('string');
    expect(removalRow).to.deep.include({ actor: 'internal' });
    expect(removalRow?.before).to.deep.include({ tier: 'pro', isPremium: true });
    expect(removalRow?.after).to.deep.include({ tier: 'free', isPremium: false });
    expect(removalRow?.before).not.to.have.property('customApiKeyLimit');
  });

  it('log each effective change by the secret or an operator in one line', async () => {
    const user = await service().signUp();
    const { token } = await makeOperator('dev');
    const linesOf = async (
      requestId: string,
      change: (as: RequestOptions) => Promise<{ readonly status: number }>,
      as: RequestOptions,
    ) => {
      const headers = { ...as.headers, 'X-Request-Id': requestId };
      expect((await change({ ...as, headers })).status).to.equal(200);
      return service().log.lines.filter(({ fields }) => fields.requestId === requestId);
    };
    const toPro = (as: RequestOptions) => patch(user.id, { tier: 'pro' }, as);
    const toFree = (as: RequestOptions) => patch(user.id, { tier: null }, as);
    const own = (as: RequestOptions) => service().post('/api/services', { service: 'DROP', tier: 'pro' }, as);
    const line = (requestId: string, userId = user.id) => ({
      level: 'info',
      event: 'operator.acted',
      fields: { userId, reason: 'entitlement.changed', address: '127.0.0.1', requestId },
    });
    expect(await linesOf('by-secret', toPro, internal())).to.deep.equal([line('by-secret')]);
    expect(await linesOf('without-effect', toPro, internal())).to.deep.equal([]);
    expect(await linesOf('by-operator', toFree, { token })).to.deep.equal([line('by-operator')]);
    const both = { token: user.token, ...internal() };
    expect(await linesOf('beside-bearer', own, both)).to.deep.equal([line('beside-bearer')]);
    expect(await linesOf('by-the-user', own, { token: user.token })).to.deep.equal([]);
  });

  it('return 404 for an unknown user id of any form', async () => {
    for (const id of ['01a1fe12-e096-72b9-bb8a-f5eddddfd35d', 'nobody', '%24ne', 'a'.repeat(1_000)]) {
      const reply = await patch(id, { tier: 'pro' });
      expect([reply.status, reply.body.code], id).to.deep.equal([404, 'user_not_found']);
    }
  });

  describe('for lists of users', () => {
    const accounts: User[] = [];
    before(async () => {
      for (let count = 0; count < 7; count += 1) accounts.push(await service().signUp());
      await service().post('/api/auth/register', {
        email: 'unverified@example.com',
        password: 'correct horse battery',
      });
    });

    it('return every account, newest first, with the documented members', async () => {
      const { body } = await list('?limit=8');
      const users = Array.from({ length: 8 }, (_, place) => body.users?.[place]);
      expect(users[0]).to.have.all.keys(
        ...['id', 'email', 'displayName', 'avatar', 'createdAt', 'updatedAt', 'serviceAccess'],
      );
      expect(users.map((user) => String(user?.email))).to.deep.equal([
        'unverified@example.com',
        ...accounts.map((user) => user.email).reverse(),
      ]);
      expect(body.pagination).to.deep.include({ page: 1, limit: 8, hasMore: true });
    });

    it('return each account once, by page number and by cursor', async () => {
      const emailsOf = ({ users }: AnyJson): string[] =>
        Array.from(users as never, ({ email }: User) => email);
      const byPage: string[] = [];
      const totals: unknown[] = [];
      for (let page = 1; ; page += 1) {
        const { body } = await list(`?limit=3&page=${page}`);
        byPage.push(...emailsOf(body));
        totals.push(body.pagination);
        if (!body.pagination?.hasMore) break;
      }
      const [totalCount, totalPages] = [byPage.length, Math.ceil(byPage.length / 3)];
      expect(new Set(byPage).size).to.equal(totalCount);
      for (const [place, pagination] of totals.entries())
        expect(pagination, byPage.join()).to.deep.include({ page: place + 1, totalCount, totalPages });
      expect(totals).to.have.length(totalPages);
      const byCursor: string[] = [];
      let query = '?limit=3';
      for (;;) {
        const { body } = await list(query);
        byCursor.push(...emailsOf(body));
        if (body.pagination?.cursor === undefined) break;
        query = `?limit=3&cursor=${encodeURIComponent(String(body.pagination.cursor))}`;
      }
      expect(byCursor).to.deep.equal(byPage);
    });

    it('filter by email and by effective tier', async () => {
      const [account] = accounts;
      if (account === undefined) throw new Error('No user was made.');
      await patch(account.id, { tier: 'enterprise' });
      const byEmail = await list(`?email=${encodeURIComponent(account.email.toUpperCase())}`);
      expect(byEmail.body.users?.[0]?.id).to.equal(account.id);
      expect(byEmail.body.pagination?.totalCount).to.equal(1);
      const byTier = await list('?tier=enterprise');
      expect(byTier.body.pagination?.totalCount).to.equal(1);
      expect(byTier.body.users?.[0]?.serviceAccess?.[0]).to.deep.include({ tier: 'enterprise' });
    });

    it('accept the filters in a body as well, with equal results', async () => {
      const [account] = accounts;
      const { body } = await list('?limit=3');
      const cursor = String(body.pagination?.cursor);
      for (const filters of [
        {},
        { limit: 3, page: 2 },
        { limit: 2, cursor },
        { email: account?.email.toUpperCase() },
        { tier: 'free', limit: 2 },
      ]) {
        const query = new URLSearchParams();
        for (const [name, value] of Object.entries(filters)) query.set(name, String(value));
        const result = await search(filters);
        expect(result.status).to.equal(200);
        expect(result.body, query.toString()).to.deep.equal((await list(`?${query}`)).body);
      }
      for (const filters of [{ page: 0 }, { limit: '3' }, { tier: 'gold' }, { email: 'nobody' }])
        expect((await search(filters)).status, JSON.stringify(filters)).to.equal(400);
      const { status } = await service().request('POST', '/api/admin/users/search', internal());
      expect(status, 'no body').to.equal(200);
    });

    it('reduce a limit over 200, and refuse an invalid page, limit, tier, cursor or email', async () => {
      expect((await list('?limit=100000')).body.pagination?.limit).to.equal(200);
      expect((await list()).body.pagination).to.deep.include({ page: 1, limit: 50 });
      for (const query of [
        'page=0',
        'page=x',
        'limit=0',
        'limit=1.5',
        'tier=gold',
        'cursor=1.x.y',
        'email=nobody',
      ]) {
        expect((await list(`?${query}`)).status, query).to.equal(400);
      }
    });
  });
});
