import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { unavailable } from '../../../../core/errors.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { openOperated, password } from '../admin/open-operated.ts';
import { caller, openPorts } from '../open-core.ts';

describe('A new pair of tokens that cannot be stored', () => {
  it('ends the session before the caller learns of the failure', async () => {
    const down = unavailable('store_unavailable', 'The store is down.');
    const core = openPorts();
    const { sessions } = core.ports;
    let isEnded = false;
    const failing = {
      ...sessions,
      change: async () => {
        throw down;
      },
      end: async (...args: Parameters<typeof sessions.end>) => {
        await setImmediate();
        isEnded = await sessions.end(...args);
        return isEnded;
      },
    };
    const { accounts, signUp } = await openOperated({
      ...core,
      ports: { ...core.ports, sessions: failing },
    });
    const { token } = await signUp('ada@example.com');
    const who = await accounts.authenticate(token);
    const input = { currentPassword: password, newPassword: 'another horse battery' };

    expect(await rejectionOf(() => accounts.changePassword(who, input, caller))).to.equal(down);
    expect(isEnded).to.equal(true);
    const ended = await sessions.find(who.user.id, who.session.id);
    expect(ended === undefined || ended.endedAt !== null).to.equal(true);
  });
});
