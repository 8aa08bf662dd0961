import { expect } from 'chai';
import { sampleTwoFactor } from '../../../contracts/samples.ts';
import { caller, codeOf } from '../open-core.ts';
import { openPeople } from '../use-people.ts';

describe('A fresh proof', () => {
  it('is judged by the store, not by what came with the request a moment ago', async () => {
    const { accounts, edit, ports, signUp } = await openPeople();
    const { id, token, who } = await signUp();
    const principal = await who();
    await accounts.endOtherSessions(principal, caller);

    await edit(id, { twoFactor: sampleTwoFactor });
    const endOthers = () => codeOf(accounts.endOtherSessions(principal, caller));
    expect(await endOthers()).to.equal('fresh_authentication_needed');

    const { claims } = await accounts.authenticate(token);
    await ports.sessions.remove(id, claims.sessionId);
    expect(await endOthers()).to.equal('fresh_authentication_needed');
  });
});
