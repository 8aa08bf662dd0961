import { expect } from 'chai';
import type { SessionStore } from '../../core/accounts/ports.ts';
import type { Session } from '../../core/accounts/session.ts';
import { inRounds, race } from './race.ts';
import { refusesNonText } from './rejection.ts';
import { NOW, sampleCookieSession } from './samples.ts';

const DAY = 86_400_000;
const MOST = 20;

/** Sessions that are kept in cookies. `store` belongs to the calling suite. */
export const cookieSessionTests = (store: SessionStore): void => {
  const findSession = (id = 'a') => store.find('user', id);
  const session = sampleCookieSession('a');
  const withCookie = (digest: string, from: Session = session): Session => ({
    ...from,
    cookie: { digest, previousDigest: 'cookie of a', changedAt: NOW + 10 },
  });

  it('stores a cookie session', async () => {
    await store.add(session, MOST);
    expect(await findSession()).to.deep.equal(session);
  });

  it('replaces a cookie session only if it is unchanged since it was read', async () => {
    await store.add(session, MOST);
    const used = { ...session, lastUsedAt: NOW + 10, refreshExpiresAt: NOW + 2_000, userAgent: 'curl' };
    expect(await store.change(withCookie('other'), used)).to.equal(false);
    expect(await store.change({ ...session, lastUsedAt: NOW - 1 }, used)).to.equal(false);
    expect(await store.change(session, used)).to.equal(true);
    expect(await findSession()).to.deep.equal(used);
    const { cookie: _, ...tokenSession } = used;
    expect(await store.change(tokenSession, used)).to.equal(false);

    const renewed = { ...withCookie('next', used), epoch: 3, tokensFrom: NOW + 8 };
    expect(await store.change(used, renewed)).to.equal(true);
    expect(await store.change(used, withCookie('late', used))).to.equal(false);
    expect(await findSession()).to.deep.equal(renewed);
    await store.endAll('user', { keep: null, beforeVersion: 3 }, NOW + 20);
    expect(await findSession()).to.include({ endedAt: null });
  });

  it('extends a cookie session with each use, at most until its end', async () => {
    const long = { ...session, endsAt: NOW + 5 * DAY };
    await store.add(long, MOST);
    await store.change(long, { ...long, lastUsedAt: NOW + 1, refreshExpiresAt: NOW + 9 * DAY });
    expect(await store.sweep(NOW + 5 * DAY - 1, 10)).to.equal(0);
    expect(await store.sweep(NOW + 6 * DAY, 10)).to.equal(1);
  });

  it('lets exactly one of many concurrent new cookie values succeed', () =>
    inRounds(async (round) => {
      const id = `r${round}`;
      const inCookie = sampleCookieSession(id);
      await store.add(inCookie, 1_000);
      const answers = await race(50, (place) => store.change(inCookie, withCookie(`${place}`, inCookie)));
      expect(answers.filter(Boolean)).to.have.length(1);
      expect((await findSession(id))?.cookie?.digest).to.equal(`${answers.indexOf(true)}`);
    }));

  it('rejects a cookie digest that is not text with a `TypeError`', async () => {
    await store.add(session, MOST);
    const notNull = (value: unknown) => (value ?? 7) as string;
    await refusesNonText((value) => store.change(withCookie(notNull(value)), session));
    expect(await findSession()).to.deep.equal(session);
  });
};
