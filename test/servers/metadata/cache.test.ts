import { expect } from 'chai';
import { type Reply, useService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { takeCached } from './cached.ts';
import { idsOf, useClient } from './client.ts';

const ROUTES = {
  sync: { type: 'allOne' },
  prefetch: { limit: 10 },
  invalidate: { type: 'OUT' },
} as const;

describe('The routes of the cache', () => {
  const service = useService();
  const client = useClient(service);
  const call = (path: string, body: object) => client().post(`/api/v1/e/meta/${path}`, body);
  const sync = (user: string, type: string) => call('sync', { user, type });
  const prefetch = (user: string, limit: unknown) => call('prefetch', { user, limit });
  const invalidate = (user: string, type: string) => call('invalidate', { user, type });
  /** How many entries of a user were cached until now. */
  const takeOut = async (user: string) => Number((await invalidate(user, 'OUT')).body.invalidated);
  const readTimes = async (id: string | undefined, times: number) => {
    for (let time = 0; time < times; time += 1) await client().read(id ?? '');
  };
  /** Records of a user, with nothing of them cached. */
  const createSome = async (user: string, count: number) => {
    const ids = await client().createSome(user, count);
    await invalidate(user, 'OUT');
    return ids;
  };

  const expectRefused = ({ status, body }: Reply, code: string) => {
    expect(body).to.have.all.keys('error', 'message');
    expect([status, body.error]).to.deep.equal([code === 'user_not_found' ? 404 : 400, code]);
  };

  it('know nothing of a user without account and file', async () => {
    for (const [path, rest] of Object.entries(ROUTES)) {
      expectRefused(await call(path, { user: 'nobody', ...rest }), 'user_not_found');
    }
    expectRefused(await invalidate('nobody', 'DEL'), 'user_not_found');
  });

  it('find nothing to do for an account without files', async () => {
    const { id: user } = await service().signUp();
    for (const type of ['allOne', 'allTwo', 'mostOne', 'mostTwo']) {
      const { status, body } = await sync(user, type);
      expect([status, body]).to.deep.equal([200, { user, synced: 0, skipped: 0 }]);
    }
    expect((await prefetch(user, 10)).body).to.deep.equal({ user, prefetched: 0 });
    for (const type of ['OUT', 'DEL']) {
      expect((await invalidate(user, type)).body).to.deep.equal({ user, type, invalidated: 0 });
    }
  });

  it('refuse what is none of their types and limits', async () => {
    await createSome('wrong', 1);
    for (const type of ['', 'all', 'ALLONE', 'allThree', 'OUT']) {
      expectRefused(await sync('wrong', type), 'invalid_request');
    }
    for (const type of ['', 'out', 'del', 'ALL', 'allOne']) {
      expectRefused(await invalidate('wrong', type), 'invalid_request');
    }
    for (const limit of [0, -1, 10_001, 1.5, '1', null, undefined]) {
      expectRefused(await prefetch('wrong', limit), 'invalid_request');
    }
    for (const [path, rest] of Object.entries(ROUTES)) {
      for (const user of ['', 'x'.repeat(129), 7, null, undefined]) {
        expectRefused(await call(path, { user, ...rest }), 'invalid_request');
      }
    }
  });

  for (const type of ['allOne', 'allTwo']) {
    it(`cache by ${type} every file, read or not, as often as they are asked`, async () => {
      const user = `all-${type}`;
      await createSome(user, 7);
      for (let time = 0; time < 2; time += 1) {
        expect((await sync(user, type)).body).to.deep.equal({ user, synced: 7, skipped: 0 });
      }
      expect(await takeOut(user)).to.equal(7);
      expect(await takeOut(user)).to.equal(0);
    });
  }

  for (const type of ['mostOne', 'mostTwo']) {
    it(`cache by ${type} the files that were read, and no others`, async () => {
      const user = `most-${type}`;
      const ids = await createSome(user, 5);
      expect((await sync(user, type)).body).to.deep.equal({ user, synced: 0, skipped: 0 });
      await readTimes(ids[1], 1);
      await readTimes(ids[3], 2);
      expect((await sync(user, type)).body).to.deep.equal({ user, synced: 2, skipped: 0 });
      expect(await takeOut(user)).to.equal(2);
    });
  }

  it('forget that a file was read after 30 days', async () => {
    const user = 'month';
    const [old = '', young = ''] = await createSome(user, 2);
    await readTimes(old, 3);
    service().clock.advance(20 * 86_400_000);
    await readTimes(young, 1);
    expect((await sync(user, 'mostOne')).body).to.include({ synced: 2 });
    service().clock.advance(11 * 86_400_000);
    expect((await sync(user, 'mostOne')).body).to.include({ synced: 1 });
    expect((await prefetch(user, 10)).body).to.include({ prefetched: 1 });
  });

  it('prefetch the files that are read most, as many as are wanted', async () => {
    const user = 'prefetcher';
    const ids = await createSome(user, 6);
    for (const [place, id] of ids.entries()) await readTimes(id, place);
    await takeOut(user);
    expect((await prefetch(user, 3)).body).to.deep.equal({ user, prefetched: 3 });
    expect(await takeOut(user)).to.equal(3);
    expect((await prefetch(user, 10_000)).body).to.deep.equal({ user, prefetched: 5 });

    await takeOut(user);
    await prefetch(user, 2);
    expect(await takeCached(service(), ids)).to.have.members(ids.slice(4));
  });

  it('count with OUT what was cached, be it by a read, and touch neither records nor other users', async () => {
    const [one = ''] = await createSome('leaver', 3);
    await createSome('stayer', 2);
    await sync('stayer', 'allOne');
    await client().read(one);
    let seen = 0;
    // A read does not wait until its entry is cached.
    await until(async () => {
      seen += await takeOut('leaver');
      return seen === 1;
    });
    expect(idsOf(await client().list('leaver'))).to.have.length(3);
    expect(await takeOut('stayer')).to.equal(2);
  });

  it('delete with DEL every record, cached or not, and then know the user no more', async () => {
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

  it('show a record that was cached and deleted to nobody', async () => {
    const ids = await createSome('gone', 3);
    await sync('gone', 'allOne');
    for (const id of ids) {
      expect((await client().read(id)).status).to.equal(200);
      expect((await client().remove(id)).status).to.equal(200);
      expect((await client().read(id)).status).to.equal(404);
    }
  });
});
