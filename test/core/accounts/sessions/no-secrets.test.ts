import { expect } from 'chai';
import { sampleTwoFactor } from '../../../contracts/samples.ts';
import { useOperated } from '../admin/open-operated.ts';

describe('What authenticate gives an embedding app', () => {
  const operated = useOperated();

  it('names the user and the session, and holds no hash, digest, factor or pending entry of either', async () => {
    const { account, accounts, edit, ports, signUp } = operated();
    const { id, email, token } = await signUp('ada@example.com');
    const secrets = { secret: 'sealed-secret', recovery: ['recovery-digest'], usedRecovery: ['used-digest'] };
    await edit(id, { twoFactor: { ...sampleTwoFactor, ...secrets } });
    const { knownAddresses, passwordHash } = await account(id);
    const { sessionId } = (await accounts.authenticate(token)).claims;
    const session = (await ports.sessions.find(id, sessionId)) ?? expect.fail('no session');

    const who = await accounts.authenticate(token);
    expect(who.user).to.include({ id, email, hasPassword: true, hasTwoFactor: true });
    expect(who.session).to.include({ id: sessionId, userId: id });
    const json = JSON.stringify(who);
    const hidden = [
      passwordHash,
      session.refreshDigest,
      ...knownAddresses.map(({ digest }) => digest),
      'sealed-secret',
      'recovery-digest',
      'used-digest',
    ];
    expect(hidden).to.have.length.above(5);
    for (const secret of hidden) expect(json).not.to.contain(secret);
    for (const name of ['passwordHash', 'pending', 'twoFactor"', 'usedTokens'])
      expect(json).not.to.contain(name);
  });
});
