import { expect } from 'chai';
import { provedSession, type Session } from '../../../../core/accounts/session.ts';
import { changeSession } from '../../../../core/accounts/sessions/change-session.ts';
import { rotatedSession } from '../../../../core/accounts/sessions/refresh.ts';
import { usedSession } from '../../../../core/accounts/sessions/session-cookie.ts';
import { race } from '../../../contracts/race.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import {
  NOW,
  sampleCookieSession,
  sampleRotation,
  sampleSession,
  sampleUse,
} from '../../../contracts/samples.ts';
import { openPorts } from '../open-core.ts';

describe('The rotation of a refresh token', () => {
  const session = sampleSession('a');

  it('replaces the presented token, and stores it as used', () => {
    expect(rotatedSession(session, sampleRotation('a'))).to.deep.equal({
      ...session,
      refreshDigest: 'next digest of a',
      usedTokens: [{ digest: 'digest of a', at: NOW + 10 }],
      lastUsedAt: NOW + 10,
      refreshExpiresAt: NOW + 2_000,
      address: '192.0.2.2',
      userAgent: 'Firefox "é"',
    });
  });

  it('keeps the last used token, and earlier ones up to a number and an age', () => {
    let current: Session | undefined = sampleSession('a', {
      refreshDigest: '0',
      refreshExpiresAt: NOW + 900,
    });
    const rotate = (place: number, now: number) => {
      const next = { presented: `${place}`, next: `${place + 1}`, now };
      current = current && rotatedSession(current, sampleRotation('a', next));
      return current?.usedTokens.map(({ digest }) => digest);
    };
    expect(rotate(0, NOW)).to.deep.equal(['0']);
    expect(rotate(1, NOW + 100)).to.deep.equal(['1', '0']);
    expect(rotate(2, NOW + 101)).to.deep.equal(['2', '1']);
    expect(rotate(3, NOW + 102)).to.deep.equal(['3', '2', '1']);
    expect(rotate(4, NOW + 103)).to.deep.equal(['4', '3', '2']);
    expect(rotate(5, NOW + 900)).to.deep.equal(['5']);
  });
});

describe('The use of a cookie session', () => {
  const session = sampleCookieSession('a', { tokensFrom: 7, methods: ['totp'], userAgent: 'curl' });

  it('stores the time, and the client if it is known', () => {
    const used = { ...session, lastUsedAt: NOW + 10, refreshExpiresAt: NOW + 2_000 };
    expect(usedSession(session, sampleUse())).to.deep.equal(used);
    const from = { address: '192.0.2.9', userAgent: null };
    expect(usedSession(session, sampleUse({ from }))).to.deep.equal({ ...used, ...from });
  });

  it('changes no session without a cookie, and none that ended or expired', () => {
    expect(usedSession(sampleSession('b'), sampleUse())).to.equal(undefined);
    expect(usedSession({ ...session, endedAt: NOW }, sampleUse())).to.equal(undefined);
    expect(usedSession(session, sampleUse({ now: NOW + 1_000 }))).to.equal(undefined);
    const late = { ...session, refreshExpiresAt: NOW + 9_000 };
    expect(usedSession(late, sampleUse({ now: NOW + 5_000 }))).to.equal(undefined);
  });
});

describe('A change of a session', () => {
  const open = async () => {
    const { sessions } = openPorts().ports;
    await sessions.add(sampleSession('a'), 20);
    return { sessions, key: { userId: 'user', id: 'a' } };
  };
  const proof = { authenticatedAt: NOW + 5, methods: ['totp'] } as const;
  const rotate = (session: Session) => {
    const next = rotatedSession(session, sampleRotation('a'));
    return next && { next, answer: next };
  };

  it('is decided again after a concurrent write, and keeps both writes', async () => {
    const { sessions, key } = await open();
    const stale = sampleSession('a');
    await sessions.change(stale, { ...stale, ...proof });
    const rotated = await changeSession({ sessions }, key, rotate, stale);
    expect(rotated).to.include({ refreshDigest: 'next digest of a', authenticatedAt: NOW + 5 });
    expect(await sessions.find('user', 'a')).to.deep.equal(rotated);
  });

  it('replaces a token for exactly one of 50 concurrent calls', async () => {
    const { sessions, key } = await open();
    const answers = await race(50, () => changeSession({ sessions }, key, rotate, sampleSession('a')));
    expect(answers.filter((answer) => answer !== undefined)).to.have.length(1);
  });

  it('writes nothing for an ended or unknown session', async () => {
    const { sessions, key } = await open();
    await sessions.end('user', 'a', NOW);
    expect(await changeSession({ sessions }, key, rotate, sampleSession('a'))).to.equal(undefined);
    expect(provedSession(sampleSession('a', { endedAt: NOW }), proof)).to.equal(undefined);
    expect(await changeSession({ sessions }, { userId: 'user', id: 'none' }, rotate)).to.equal(undefined);
  });

  it('returns without a write if nothing changes, and fails after many lost races', async () => {
    const { sessions, key } = await open();
    const failing = { sessions: { ...sessions, change: async () => false } };
    expect(await changeSession(failing, key, () => ({ next: null, answer: 'same' }))).to.equal('same');
    expect(await rejectionOf(() => changeSession(failing, key, rotate))).to.include({
      code: 'contended',
    });
  });
});
