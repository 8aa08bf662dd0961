import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { useService } from '../../../support/service.ts';
import { logInAgain, me } from '../second-factor/factor.ts';
import { useStores } from '../stores.ts';

describe('A refresh token used a second time', () => {
  const service = useService();
  before(() => service().clock.stop());
  const stores = useStores(service);
  const refresh = (refreshToken: string) => service().post('/api/auth/refresh', { refreshToken });
  const nextOf = async (refreshToken: string): Promise<string> =>
    String((await refresh(refreshToken)).body.refreshToken);

  it('does no more than fail within 10 seconds, as two tabs may race', async () => {
    const user = await service().signUp();
    const { body } = await refresh(user.refreshToken);
    service().clock.advance(9_000);

    expect((await refresh(user.refreshToken)).status).to.equal(401);
    expect(await me(service(), String(body.token))).to.equal(200);
    expect((await refresh(String(body.refreshToken))).status).to.equal(200);
    await stores().settled();
    expect(await stores().actionsAbout(user.id)).to.deep.equal([]);
  });

  it('ends the session later, with all its tokens', async () => {
    const user = await service().signUp();
    const { body } = await refresh(user.refreshToken);
    service().clock.advance(10_001);

    expect((await refresh(user.refreshToken)).status).to.equal(401);
    expect(await me(service(), user.token)).to.equal(401);
    expect(await me(service(), String(body.token))).to.equal(401);
    expect((await refresh(String(body.refreshToken))).status).to.equal(401);
  });

  it('is audited and told to the user once', async () => {
    const user = await service().signUp();
    await refresh(user.refreshToken);
    service().clock.advance(11_000);
    await refresh(user.refreshToken);
    await refresh(user.refreshToken);

    await stores().settled();
    expect(await stores().actionsAbout(user.id)).to.deep.equal(['session.reuse_detected']);
    const told = service().mails.filter(({ to }) => to === user.email);
    expect(told.map(({ subject }) => subject)).to.deep.equal([
      'Your Gatehouse verification code',
      'A Gatehouse session was ended for safety',
    ]);
    const events = service().events.filter(({ userId }) => userId === user.id);
    expect(events.map(({ type }) => type)).to.deep.equal([
      'user.created',
      'user.verified',
      'session.revoked',
    ]);
  });

  it('ends the session also when it is many generations old', async () => {
    const { refreshToken } = await service().signUp();
    let last = refreshToken;
    for (let time = 0; time < 5; time += 1) {
      last = await nextOf(last);
      service().clock.advance(60_000);
    }

    expect((await refresh(refreshToken)).status).to.equal(401);
    expect((await refresh(last)).status).to.equal(401);
  });

  it('ends the session also while somebody refreshes it every few seconds', async () => {
    const user = await service().signUp();
    let { refreshToken: last } = user;
    for (let time = 0; time < 6; time += 1) {
      last = await nextOf(last);
      service().clock.advance(4_500);
    }

    expect((await refresh(user.refreshToken)).status).to.equal(401);
    expect((await refresh(last)).status).to.equal(401);
    await stores().settled();
    expect(await stores().actionsAbout(user.id)).to.deep.equal(['session.reuse_detected']);
  });

  it('does no more than fail for each token used within 10 seconds, not the last one alone', async () => {
    const user = await service().signUp();
    const second = await nextOf(user.refreshToken);
    service().clock.advance(4_000);
    const third = await nextOf(second);
    service().clock.advance(4_000);

    for (const used of [user.refreshToken, second]) expect((await refresh(used)).status).to.equal(401);
    expect((await refresh(third)).status).to.equal(200);
  });

  it('leaves the user’s other sessions alone', async () => {
    const user = await service().signUp();
    const other = await logInAgain(service(), user);
    await refresh(user.refreshToken);
    service().clock.advance(11_000);
    await refresh(user.refreshToken);

    expect(await me(service(), other.token)).to.equal(200);
    expect((await refresh(other.refreshToken)).status).to.equal(200);
  });

  it('is nothing to a token that was made up, though its session is named rightly', async () => {
    const { refreshToken } = await service().signUp();
    const next = await nextOf(refreshToken);
    service().clock.advance(60_000);
    const [userId, sessionId, secret, mark] = refreshToken.split('.');

    for (const madeUp of [
      `${userId}.${sessionId}.${randomBytes(32).toString('base64url')}.${mark}`,
      `${userId}.${sessionId}.${secret}.${randomBytes(16).toString('base64url')}`,
      `${userId}.${sessionId}.${next.split('.')[2]}.${mark}`,
    ]) {
      expect((await refresh(madeUp)).status).to.equal(401);
    }
    expect((await refresh(next)).status).to.equal(200);
  });

  it('is nothing once the session is over', async () => {
    const user = await service().signUp();
    await refresh(user.refreshToken);
    await service().post('/api/auth/logout', undefined, { token: user.token });
    service().clock.advance(60_000);
    await refresh(user.refreshToken);

    await stores().settled();
    expect(await stores().actionsAbout(user.id)).to.deep.equal([]);
  });
});
