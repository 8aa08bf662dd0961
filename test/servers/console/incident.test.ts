import { expect } from 'chai';
import { useService } from '../../support/service.ts';
import { me } from '../accounts/second-factor/factor.ts';
import { openOperator, rowsAbout } from './founder-actions.ts';

describe('An incident at the console', () => {
  const service = useService();

  it('is ended by a ban with a reason, found in the log, and taken back', async () => {
    const ada = await service().signUp();
    const eve = await openOperator(service(), 'dev');
    const shown = async () => (await eve.send('GET', `users/${ada.id}`)).body.user;
    const act = async (path: string, reason: string) =>
      eve.send('POST', `users/${ada.id}/${path}`, {
        body: { reason, seen: String((await shown())?.updatedAt) },
      });

    expect((await eve.send('GET', `users/${ada.id}/sessions`)).body.sessions).to.have.length(1);
    const banned = await act('ban', 'sends spam, ticket 4711');
    expect(banned.status).to.equal(200);
    await rowsAbout(service(), ada);
    const log = await eve.send('GET', `users/${ada.id}/audit`);
    expect(log.body.rows).to.have.length(1);
    expect(log.body.rows?.[0]).to.deep.include({
      actor: eve.id,
      action: 'user.banned',
      target: ada.id,
      reason: 'sends spam, ticket 4711',
      before: { banned: false, reason: null, until: null },
      after: { banned: true, reason: 'sends spam, ticket 4711', until: null },
      requestId: banned.headers.get('x-request-id'),
      address: '127.0.0.1',
    });
    expect(await me(service(), ada.token)).to.equal(200);
    const upload = await service().request('PATCH', '/api/auth/me', {
      token: ada.token,
      body: { displayName: 'Ada' },
    });
    expect([upload.status, upload.body.code]).to.deep.equal([403, 'account_banned']);
    expect((await shown())?.banned).to.deep.include({ reason: 'sends spam, ticket 4711', inForce: true });

    // A colleague who looks at what was shown before the ban comes too late.
    const dan = await openOperator(service(), 'founder');
    const late = await dan.send('POST', `users/${ada.id}/delete`, {
      body: { reason: 'spam', email: ada.email, seen: '2026-11-20T09:14:00.000Z' },
    });
    expect([late.status, late.body.code]).to.deep.equal([409, 'changed_meanwhile']);

    expect((await act('unban', 'it was the neighbour')).body.changed).to.equal(true);
    const patched = await service().request('PATCH', '/api/auth/me', {
      token: ada.token,
      body: { displayName: 'Ada' },
    });
    expect(patched.status).to.equal(200);
    const rows = await rowsAbout(service(), ada);
    expect(rows.map(({ action, actor, reason }) => [action, actor, reason])).to.deep.equal([
      ['user.banned', eve.id, 'sends spam, ticket 4711'],
      ['user.unbanned', eve.id, 'it was the neighbour'],
    ]);
    const looks = service().log.lines.filter(({ event }) => event === 'operator.viewed');
    expect(looks.at(0)?.fields).to.include({ userId: ada.id, id: eve.id, reason: 'sessions' });
  });
});
