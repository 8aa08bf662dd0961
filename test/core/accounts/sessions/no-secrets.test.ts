import { expect } from 'chai';
import { useOperated } from '../admin/open-operated.ts';

describe('What authenticate gives an embedding app', () => {
  const operated = useOperated();

  it('names the user and the session, and holds no hash, digest, factor or pending entry of either', async () => {
    const { accounts, ports, signUp } = operated();
    const { id, email, token } = await signUp('ada@example.com');
    const account = (await ports.accounts.find(id)) ?? expect.fail('no account');
    const twoFactor = {
      secret: 'sealed-secret',
      lastStep: 7,
      recovery: ['recovery-digest'],
      usedRecovery: ['used-digest'],
      wrongInRow: 0,
      heldUntil: null,
      wrongToday: null,
    };
    await ports.accounts.save({ ...account, twoFactor });
    const { sessionId } = (await accounts.authenticate(token)).claims;
    const session = (await ports.sessions.find(id, sessionId)) ?? expect.fail('no session');

    const who = await accounts.authenticate(token);
    expect(who.user).to.include({ id, email, hasPassword: true, hasTwoFactor: true });
    expect(who.session).to.include({ id: sessionId, userId: id });
    const json = JSON.stringify(who);
    const secrets = [
      account.passwordHash,
      session.refreshDigest,
      ...account.knownAddresses.map(({ digest }) => digest),
      'sealed-secret',
      'recovery-digest',
      'used-digest',
    ];
    expect(secrets).to.have.length.above(5);
    for (const secret of secrets) expect(json).not.to.contain(secret);
    for (const name of ['passwordHash', 'pending', 'twoFactor"', 'usedTokens'])
      expect(json).not.to.contain(name);
  });
});
