import { expect } from 'chai';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { caller } from '../open-core.ts';
import { openTravel } from '../providers/provider-flow.ts';

describe('A fresh proof', () => {
  it('is judged by the store, not by what came with the request a moment ago', async () => {
    const { accounts, ports, register } = await openTravel();
    const { id, token, who } = await register('grace@example.com');
    const principal = await who();
    await accounts.endOtherSessions(principal, caller);

    const record = await ports.accounts.find(id);
    if (record === undefined) throw new Error('There is no account.');
    const none = { wrongInRow: 0, heldUntil: null, wrongToday: null };
    const twoFactor = { secret: 'sealed', lastStep: 0, recovery: [], usedRecovery: [], ...none };
    await ports.accounts.save({ ...record, twoFactor });
    expect(await rejectionOf(async () => accounts.endOtherSessions(principal, caller))).to.include({
      code: 'fresh_authentication_needed',
    });

    const { claims } = await accounts.authenticate(token);
    await ports.sessions.remove(id, claims.sessionId);
    expect(await rejectionOf(async () => accounts.endOtherSessions(principal, caller))).to.include({
      code: 'fresh_authentication_needed',
    });
  });
});
