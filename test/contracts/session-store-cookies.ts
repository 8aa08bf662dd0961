import { expect } from 'chai';
import type { SessionStore } from '../../core/accounts/ports.ts';
import { inRounds, race } from './race.ts';
import { refusesNonNumbers, refusesNonText } from './rejection.ts';
import { NOW, sampleCookieSession, sampleRotation, sampleSession, sampleUse } from './samples.ts';

const MOST = 20;

/** Sessions that are kept in cookies. `store` is of the suite that calls this. */
export const cookieSessionTests = (store: () => SessionStore): void => {
  const find = (id = 'a') => store().find('user', id);
  const cookie = { digest: 'next', previousDigest: 'cookie of a', changedAt: NOW + 10 };

  it('keeps a session in a cookie, which no refresh token rotates', async () => {
    await store().add(sampleCookieSession('a'), MOST);
    expect(await find()).to.deep.equal(sampleCookieSession('a'));
    for (const presented of ['', 'cookie of a', 'null'])
      expect(await store().rotate(sampleRotation('a', { presented }))).to.equal(undefined);
    expect(await find()).to.deep.equal(sampleCookieSession('a'));
  });

  it('notes the use of such a session, by whom where that is known, and nothing else', async () => {
    const changes = { tokensFrom: 7, methods: ['totp'], userAgent: 'curl' } as const;
    await store().add(sampleCookieSession('a', changes), MOST);
    const used = {
      ...sampleCookieSession('a', changes),
      lastUsedAt: NOW + 10,
      refreshExpiresAt: NOW + 2_000,
    };
    expect(await store().use(sampleUse('a'))).to.deep.equal(used);
    expect(await find()).to.deep.equal(used);

    const from = { address: '192.0.2.9', userAgent: null };
    const read = { digest: 'cookie of a', lastUsedAt: NOW + 10 };
    const again = sampleUse('a', { read, now: NOW + 11, from });
    expect(await store().use(again)).to.deep.equal({ ...used, ...from, lastUsedAt: NOW + 11 });
    expect(await find()).to.deep.equal({ ...used, ...from, lastUsedAt: NOW + 11 });
  });

  it('changes with a use what it is told to', async () => {
    await store().add(sampleCookieSession('a'), MOST);
    const proof = { authenticatedAt: NOW + 9, methods: ['password', 'totp'] } as const;
    const change = { ...proof, cookie, epoch: 3, tokensFrom: NOW + 8 };
    const changed = { ...sampleCookieSession('a'), ...change, lastUsedAt: NOW + 10 };
    expect(await store().use(sampleUse('a', { change }))).to.deep.equal({
      ...changed,
      refreshExpiresAt: NOW + 2_000,
    });
    expect(await find()).to.deep.equal({ ...changed, refreshExpiresAt: NOW + 2_000 });
    await store().endAll('user', { keep: null, beforeVersion: 3 }, NOW + 20);
    expect(await find()).to.include({ endedAt: null });
  });

  it('notes no use of a session that is not as it was read, ended, expired or not in a cookie', async () => {
    await store().add(sampleCookieSession('a'), MOST);
    await store().add(sampleSession('b'), MOST);
    const read = { digest: 'cookie of a', lastUsedAt: NOW };
    for (const use of [
      sampleUse('a', { userId: 'other' }),
      sampleUse('a', { read: { ...read, digest: 'other' } }),
      sampleUse('a', { read: { ...read, lastUsedAt: NOW - 1 } }),
      sampleUse('a', { now: NOW + 1_000 }),
      sampleUse('b', { read: { digest: 'digest of b', lastUsedAt: NOW } }),
      sampleUse('b', { read: { digest: '', lastUsedAt: NOW } }),
      sampleUse('c'),
    ])
      expect(await store().use(use)).to.equal(undefined);
    await store().end('user', 'a', NOW);
    expect(await store().use(sampleUse('a'))).to.equal(undefined);
    expect((await find())?.lastUsedAt).to.equal(NOW);
  });

  it('moves the end of a session with its use, up to its own end', async () => {
    await store().add(sampleCookieSession('a'), MOST);
    await store().use(sampleUse('a', { refreshExpiresAt: NOW + 9_000 }));
    expect(await store().sweep(NOW + 4_999, 10)).to.equal(0);
    const late = sampleUse('a', { read: { digest: 'cookie of a', lastUsedAt: NOW + 10 }, now: NOW + 5_000 });
    expect(await store().use(late)).to.equal(undefined);
    expect(await store().sweep(NOW + 5_000, 10)).to.equal(1);
  });

  it('keeps a proof that comes between the reading and the noting of a use', async () => {
    await store().add(sampleCookieSession('a'), MOST);
    const proof = { authenticatedAt: NOW + 5, methods: ['totp'] } as const;
    await store().prove('user', 'a', proof);
    await store().use(sampleUse('a'));
    expect(await find()).to.deep.include(proof);
  });

  it('lets exactly one of many parallel uses change a session', () =>
    inRounds(async (round) => {
      const id = `r${round}`;
      await store().add(sampleCookieSession(id), 1_000);
      const answers = await race(50, (place) =>
        store().use(sampleUse(id, { change: { cookie: { ...cookie, digest: `${place}` } } })),
      );
      const winners = answers.filter((answer) => answer !== undefined);
      expect(winners).to.have.length(1);
      expect(await find(id)).to.deep.equal(winners[0]);
    }));

  it('refuses anything but text and numbers in a use', async () => {
    await store().add(sampleCookieSession('a'), MOST);
    const read = { digest: 'cookie of a', lastUsedAt: NOW };
    await refusesNonText((value) => store().use(sampleUse('a', { userId: value })));
    await refusesNonText((value) => store().use(sampleUse(value)));
    await refusesNonText((value) => store().use(sampleUse('a', { read: { ...read, digest: value } })));
    await refusesNonNumbers((value) => store().use(sampleUse('a', { read: { ...read, lastUsedAt: value } })));
    await refusesNonNumbers((value) => store().use(sampleUse('a', { now: value })));
    expect(await find()).to.deep.equal(sampleCookieSession('a'));
  });
};
