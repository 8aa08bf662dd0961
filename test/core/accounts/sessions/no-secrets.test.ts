import { expect } from 'chai';
import { sampleTwoFactor } from '../../../contracts/samples.ts';
import { useAdminAccounts } from '../admin/open-admin-accounts.ts';

describe('The principal that authenticate returns', () => {
  const core = useAdminAccounts();

  it('names the user and the session, and contains no hash, digest, factor or pending entry', async () => {
    const { account, accounts, edit, ports, signUp } = core();
    const { id, email, token } = await signUp('ada@example.com');
    const secrets = { secret: 'sealed-secret', recovery: ['recovery-digest'], usedRecovery: ['used-digest'] };
    await edit(id, { twoFactor: { ...sampleTwoFactor, ...secrets } });
    const { knownAddresses, passwordHash } = await account(id);
    const { sessionId } = (await accounts.authenticate(token)).claims;
    const session = (await ports.sessions.find(id, sessionId)) ?? expect.fail('There is no session.');

    const principal = await accounts.authenticate(token);
    expect(principal.user).to.include({ id, email, hasPassword: true, hasTwoFactor: true });
    expect(principal.session).to.include({ id: sessionId, userId: id });
    const json = JSON.stringify(principal);
    const secretTexts = [
      passwordHash,
      session.refreshDigest,
      ...knownAddresses.map(({ digest }) => digest),
      'sealed-secret',
      'recovery-digest',
      'used-digest',
    ];
    expect(secretTexts).to.have.length.above(5);
    for (const secret of secretTexts) expect(json).not.to.contain(secret);
    for (const name of ['passwordHash', 'pending', 'twoFactor"', 'usedTokens'])
      expect(json).not.to.contain(name);
  });
});
