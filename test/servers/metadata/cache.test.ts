import { expect } from 'chai';
import { type Reply, useService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { idsOf, useClient } from './client.ts';

const ROUTES = {
  '/api/v1/e/meta/sync': { type: 'allOne' },
  '/api/v1/e/meta/prefetch': { limit: 10 },
  '/api/v1/e/meta/invalidate': { type: 'OUT' },
} as const;

const expectRefused = ({ status, body }: Reply, code: string) => {
  expect(body).to.have.all.keys('error', 'message');
  expect([status, body.error]).to.deep.equal([code === 'user_not_found' ? 404 : 400, code]);
};

describe('The cache routes', () => {
  const service = useService();
  const client = useClient(service);
  const call = (path: keyof typeof ROUTES, body: object) => client().post(path, body);
  const sync = (user: string, type: string) => call('/api/v1/e/meta/sync', { user, type });
  const prefetch = (user: string, limit: unknown) => call('/api/v1/e/meta/prefetch', { user, limit });
  const invalidate = (user: string, type: string) => call('/api/v1/e/meta/invalidate', { user, type });
  /** Removes the cached entries of a user and returns their number. */
  const evict = async (user: string) => Number((await invalidate(user, 'OUT')).body.invalidated);
  /** Creates records of a user without cache entries. */
  const createSome = async (user: string, count: number) => {
    const ids = await client().createSome(user, count);
    await invalidate(user, 'OUT');
    return ids;
  };

  it('answer `user_not_found` for a user without an account or a file', async () => {
    for (const [path, rest] of Object.entries(ROUTES))
      expectRefused(await client().post(path, { user: 'nobody', ...rest }), 'user_not_found');
  });

  it('count 0 for an account without files', async () => {
    const { id: user } = await service().signUp();
    expect((await sync(user, 'mostOne')).body).to.deep.equal({ user, synced: 0, skipped: 0 });
    expect((await prefetch(user, 10)).body).to.deep.equal({ user, prefetched: 0 });
    for (const type of ['OUT', 'DEL'])
      expect((await invalidate(user, type)).body).to.deep.equal({ user, type, invalidated: 0 });
  });

  it('refuse invalid users, types and limits', async () => {
    for (const type of ['', 'ALLONE', 'OUT']) expectRefused(await sync('wrong', type), 'invalid_request');
    for (const type of ['', 'del', 'allOne'])
      expectRefused(await invalidate('wrong', type), 'invalid_request');
    for (const limit of [0, 10_001, '1', undefined])
      expectRefused(await prefetch('wrong', limit), 'invalid_request');
    for (const [path, rest] of Object.entries(ROUTES))
      for (const user of ['', 'x'.repeat(129)])
        expectRefused(await client().post(path, { user, ...rest }), 'invalid_request');
  });

  it('cache all files or the files that were read, and count the removed entries with OUT', async () => {
    const user = 'reader';
    const [readId = ''] = await createSome(user, 3);
    await createSome('stayer', 2);
    await sync('stayer', 'allOne');
    expect((await sync(user, 'allTwo')).body).to.deep.equal({ user, synced: 3, skipped: 0 });
    expect(await evict(user)).to.equal(3);
    await client().read(readId);
    let evicted = 0;
    // A read is answered before its entry is cached.
    await until(async () => {
      evicted += await evict(user);
      return evicted === 1;
    });
    expect((await sync(user, 'mostOne')).body).to.deep.equal({ user, synced: 1, skipped: 0 });
    expect((await prefetch(user, 10_000)).body).to.deep.equal({ user, prefetched: 1 });
    expect(idsOf(await client().list(user))).to.have.length(3);
    expect(await evict('stayer')).to.equal(2);
  });

  it('delete every record with DEL, cached or not, and then answer `user_not_found`', async () => {
    const user = 'deleter';
    const ids = await createSome(user, 4);
    await client().read(ids[0] ?? '');
    await sync(user, 'mostOne');
    const { status, body } = await invalidate(user, 'DEL');
    expect([status, body]).to.deep.equal([200, { user, type: 'DEL', invalidated: 4 }]);
    for (const id of ids) expect((await client().read(id)).status).to.equal(404);
    expect((await client().list(user)).body).to.deep.equal({ files: [] });
    expectRefused(await invalidate(user, 'DEL'), 'user_not_found');
  });
});

describe('A sync with SYNC_LIMIT_BYTES', () => {
  const service = useService({ SYNC_LIMIT_BYTES: '1000' });
  const client = useClient(service);

  it('caches the files that fit, or is refused as a whole, depending on its type', async () => {
    const user = 'over';
    await client().createSome(user, 5);
    const sync = (type: string) => client().post('/api/v1/e/meta/sync', { user, type });
    expectRefused(await sync('allOne'), 'limit_exceeded');
    // An entry takes between a quarter and a third of the limit.
    const { body } = await sync('allTwo');
    expect([Number(body.synced), Number(body.synced) + Number(body.skipped)]).to.deep.equal([3, 5]);
  });
});
