import { expect } from 'chai';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { by, useAdminAccounts } from './open-admin-accounts.ts';

const email = 'ada@example.com';

describe('The sessions of a user, managed by an operator', () => {
  const core = useAdminAccounts();

  it('are listed while they are active, newest first', async () => {
    const { logIn, operate, signUp } = core();
    await signUp(email);
    await logIn(email);
    const list = await operate.listSessions(email);
    expect(list).to.have.length(2);
    expect(Date.parse(list[0]?.createdAt ?? '')).to.be.greaterThan(Date.parse(list[1]?.createdAt ?? ''));
    expect(list[0]).to.have.all.keys('id', 'createdAt', 'lastUsedAt', 'userAgent', 'ip');
    await operate.endSessions(email, by());
    expect(await operate.listSessions(email)).to.deep.equal([]);
  });

  it('are ended singly, with an audit row and an event, while the others stay active', async () => {
    const { accounts, events, logIn, operate, rowsAbout, signUp } = core();
    const { id, token } = await signUp(email);
    const otherLogin = await logIn(email);
    const [, first] = await operate.listSessions(id);
    await operate.endSession(id, first?.id ?? '', by('a lost telephone'));
    expect(await rejectionOf(() => accounts.authenticate(token))).to.include({ code: 'invalid_token' });
    expect((await accounts.authenticate('token' in otherLogin ? otherLogin.token : '')).user.id).to.equal(id);
    expect((await operate.listSessions(id)).map((session) => session.id)).not.to.include(first?.id);
    const [row, ...more] = await rowsAbout(id);
    expect(more).to.deep.equal([]);
    expect(row).to.deep.include({
      action: 'session.ended',
      reason: 'a lost telephone',
      after: { session: first?.id },
    });
    expect(events.flatMap(({ sessionId }) => sessionId ?? [])).to.deep.equal([first?.id]);
  });

  it('are not ended for another user, by an unknown id, or twice', async () => {
    const { operate, rowsAbout, signUp } = core();
    const { id } = await signUp(email);
    const otherUser = await signUp('grace@example.com');
    const [session] = await operate.listSessions(id);
    for (const [user, sessionId] of [
      [otherUser.id, session?.id ?? ''],
      [id, 'nothing'],
      [id, ''],
    ] as const) {
      const error = await rejectionOf(() => operate.endSession(user, sessionId, by()));
      expect(error).to.include({ kind: 'missing', code: 'session_not_found' });
    }
    await operate.endSession(id, session?.id ?? '', by());
    const refusal = await rejectionOf(() => operate.endSession(id, session?.id ?? '', by()));
    expect(refusal).to.include({ code: 'session_not_found' });
    expect(await rowsAbout(id)).to.have.length(1);
  });
});
