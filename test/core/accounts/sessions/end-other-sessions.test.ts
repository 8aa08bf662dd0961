import { expect } from 'chai';
import { useOperated } from '../admin/open-operated.ts';
import { caller } from '../open-core.ts';

const newPassword = 'another horse battery';

describe('Ending the other sessions while the password is reset', () => {
  const operated = useOperated();

  it('ends none that the owner began with the new password', async () => {
    const { accounts, codeTo, ports, signUp } = operated();
    const { id, email, token } = await signUp('ada@example.com');
    const before = await accounts.authenticate(token);
    await accounts.requestPasswordReset({ email }, caller);
    const code = await codeTo(email);
    await accounts.confirmPasswordReset({ email, code, newPassword }, caller);
    await accounts.logIn({ email, password: newPassword }, caller);
    const ownSessions = await ports.sessions.list(id);
    expect(ownSessions).to.have.length(1);

    // The call was let in before the reset.
    await accounts.endOtherSessions(before, caller);
    expect(await ports.sessions.list(id)).to.deep.equal(ownSessions);
  });
});
