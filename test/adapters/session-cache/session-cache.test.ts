import { expect } from 'chai';
import { makeCachedSessions, silentAnnouncer } from '../../../adapters/session-cache/session-cache.ts';
import { makeSettableClock } from '../../contracts/leases.ts';
import { race } from '../../contracts/race.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { NOW, sampleAccount, sampleSession } from '../../contracts/samples.ts';
import { sessionsWithAccountsContract } from '../../contracts/sessions-with-accounts.ts';
import { makeLocalAnnouncer, openStores, type Stores } from './open-stores.ts';

sessionsWithAccountsContract('The session cache', async () => {
  const { store, close } = await openStores();
  return { ...makeCachedSessions({ ...store, announcer: silentAnnouncer }), close };
});

describe('Cached sessions', () => {
  const account = sampleAccount('user');
  let store: Stores;
  let close: () => Promise<void>;
  let reads: number;
  let announcer: ReturnType<typeof makeLocalAnnouncer>;
  const clock = makeSettableClock();

  /** Opens the cache of one process, and counts the reads of the store. */
  const open = (options: Partial<Parameters<typeof makeCachedSessions>[0]> = {}) =>
    makeCachedSessions({
      ...store,
      sessionCache: {
        find: (userId, id) => {
          reads += 1;
          return store.sessionCache.find(userId, id);
        },
      },
      announcer: silentAnnouncer,
      clock,
      ...options,
    });
  const nameIn = async ({ sessionCache }: ReturnType<typeof open>) =>
    (await sessionCache.find('user', 'a'))?.account.displayName;
  const rename = (displayName: string, { accounts }: Pick<Stores, 'accounts'> = store) =>
    accounts.save({ ...account, displayName });

  beforeEach(async () => {
    ({ store, close } = await openStores());
    [reads, announcer] = [0, makeLocalAnnouncer()];
    clock.set(NOW);
    await store.accounts.add(account);
    await store.sessions.add(sampleSession('a'), 20);
  });

  afterEach(() => close());

  it('are read from the store once for concurrent calls and for a second', async () => {
    const process = open();
    await race(50, () => nameIn(process));
    clock.set(NOW + 999);
    expect(await nameIn(process)).to.equal(account.displayName);
    expect(reads).to.equal(1);
  });

  it('expire a second after their read began', async () => {
    const process = open({
      sessionCache: {
        find: async (userId, id) => {
          const session = await store.sessionCache.find(userId, id);
          clock.set(clock.now() + 600);
          return session;
        },
      },
    });
    await nameIn(process);
    await rename('New');
    clock.set(NOW + 999);
    expect(await nameIn(process)).to.equal(account.displayName);
    clock.set(NOW + 1_000);
    expect(await nameIn(process)).to.equal('New');
  });

  it('are not kept longer if the clock is set back', async () => {
    const process = open();
    await nameIn(process);
    await rename('New');
    clock.set(NOW - 1);
    expect(await nameIn(process)).to.equal('New');
  });

  it('are limited to ten thousand, and the oldest are evicted', async () => {
    const session = await store.sessionCache.find('user', 'a');
    const calls: string[] = [];
    const { sessionCache } = open({
      sessionCache: {
        find: async (_, id) => {
          calls.push(id);
          return session;
        },
      },
    });
    await race(10_001, (place) => sessionCache.find('user', String(place)));
    calls.length = 0;
    await race(10_001, (place) => sessionCache.find('user', String(10_000 - place)));
    expect(calls).to.deep.equal(['0']);
  });

  it('are read again after a failed read', async () => {
    let fails = true;
    const process = open({
      sessionCache: {
        find: (userId, id) =>
          fails ? Promise.reject(new Error('down')) : store.sessionCache.find(userId, id),
      },
    });
    await rejectionOf(() => nameIn(process));
    fails = false;
    expect(await nameIn(process)).to.equal(account.displayName);
  });

  it('are dropped after a failed write, which may have reached the store', async () => {
    const process = open({
      announcer,
      accounts: {
        ...store.accounts,
        save: async (next) => {
          await store.accounts.save(next);
          throw new Error('the answer was lost');
        },
      },
    });
    await nameIn(process);
    await rejectionOf(() => rename('New', process));
    expect(await nameIn(process)).to.equal('New');
    expect(announcer.announced).to.deep.equal(['user']);
  });

  it('are kept after writes of other users', async () => {
    await store.accounts.add(sampleAccount('other'));
    await store.sessions.add(sampleSession('b', { userId: 'other' }), 20);
    const process = open();
    await nameIn(process);
    await process.accounts.save(sampleAccount('other'));
    await process.sessions.end('other', 'b', NOW);
    await nameIn(process);
    expect(reads).to.equal(1);
  });

  it('are dropped in every notified process before a write is acknowledged', async () => {
    const [first, second] = [open({ announcer }), open({ announcer })];
    await race(2, (place) => nameIn(place === 0 ? first : second));
    await rename('New', first);
    expect([await nameIn(first), await nameIn(second)]).to.deep.equal(['New', 'New']);
  });

  it('are dropped if announcements may have been missed', async () => {
    const process = open({ announcer });
    await nameIn(process);
    await rename('New');
    announcer.mayHaveMissed();
    expect(await nameIn(process)).to.equal('New');
  });

  it('hide a write without an announcement for at most a second', async () => {
    const [first, second] = [open(), open()];
    await nameIn(second);
    await first.sessions.end('user', 'a', NOW);
    expect((await first.sessionCache.find('user', 'a'))?.session.endedAt).to.equal(NOW);
    clock.set(NOW + 999);
    expect((await second.sessionCache.find('user', 'a'))?.session.endedAt).to.equal(null);
    clock.set(NOW + 1_000);
    expect((await second.sessionCache.find('user', 'a'))?.session.endedAt).to.equal(NOW);
  });

  it('are announced after every write of an account or its sessions', async () => {
    const { accounts, sessions } = open({ announcer });
    await accounts.add(sampleAccount('new'));
    await accounts.save(sampleAccount('saved'));
    await accounts.remove(sampleAccount('removed'));
    await sessions.add(sampleSession('b', { userId: 'added' }), 20);
    const changed = sampleSession('b', { userId: 'changed' });
    await sessions.change(changed, changed);
    await sessions.end('ended', 'b', NOW);
    await sessions.endAll('all', { keep: null, beforeVersion: null }, NOW);
    await sessions.remove('gone', 'b');
    expect(announcer.announced).to.deep.equal([
      'new',
      'saved',
      'removed',
      'added',
      'changed',
      'ended',
      'all',
      'gone',
    ]);
  });
});
