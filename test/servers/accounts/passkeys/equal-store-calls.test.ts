import { expect } from 'chai';
import { makePasskeys } from '../../../../adapters/authenticators/passkeys.ts';
import { createAccounts, type PasskeyAssertion } from '../../../../core/index.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { caller, openPorts } from '../../../core/accounts/open-core.ts';
import { type Credential, makeAuthenticator } from '../../../support/passkeys/authenticator.ts';
import { type User, useService } from '../../../support/service.ts';
import { useStores } from '../stores.ts';
import { makePasskeyCalls, ORIGIN, PASSKEYS_ON } from './passkey-calls.ts';

describe('The store calls of a passkey login', () => {
  const service = useService(PASSKEYS_ON);
  const stores = useStores(service);
  const passkeys = makePasskeyCalls(service);

  /** Starts the product anew on the service's stores, and records the calls of the stores. */
  const start = () => {
    const calls: string[] = [];
    const reads: string[] = [];
    /** The port, with each call recorded. */
    const record = <T extends object>(name: string, port: T): T =>
      new Proxy(port, {
        get: (target, method) => {
          const call: unknown = Reflect.get(target, method);
          if (typeof call !== 'function') return call;
          return (...args: unknown[]) => {
            calls.push(`${name}.${String(method)}`);
            if (name === 'accounts') reads.push(String(args[0]));
            return Reflect.apply(call, target, args);
          };
        },
      });
    const { accounts: accountStore, loginKeys, flows, sessions } = stores();
    const accounts = createAccounts(
      {
        ...openPorts().ports,
        accounts: record('accounts', accountStore),
        loginKeys: record('loginKeys', loginKeys),
        flows: record('flows', flows),
        sessions: record('sessions', sessions),
        passkeys: makePasskeys({ id: PASSKEYS_ON.PASSKEY_RP_ID, origins: [ORIGIN] }),
      },
      {},
    );
    const device = makeAuthenticator(ORIGIN);
    /** Logs in with a wrong signature. Returns the calls of the stores and the ids of the accounts read. */
    return async (credential: Credential) => {
      const { flow, options } = await accounts.passkeys.beginLogin();
      const wrong = { signature: (right: Buffer) => right.subarray(1) };
      const answer = device.get(options as never, credential, wrong) as PasskeyAssertion['credential'];
      calls.length = 0;
      reads.length = 0;
      expect(
        await rejectionOf(() => accounts.passkeys.logIn({ flow, credential: answer }, caller)),
      ).to.include({ code: 'invalid_passkey' });
      return { calls: [...calls], reads: [...reads] };
    };
  };

  const CALLS = ['loginKeys.find', 'accounts.find'];
  const signUpWithPasskey = async () => {
    const user = await service().signUp();
    return { user, passkey: (await passkeys.add(user)).credential };
  };
  const deleteAccount = ({ password, token }: User) =>
    service().post('/api/auth/delete-account', { password }, { token });

  it('are equal for a known, an unknown and a deleted passkey', async () => {
    const attempt = start();
    const { user, passkey } = await signUpWithPasskey();
    const deleted = await signUpWithPasskey();
    await deleteAccount(deleted.user);
    const unregistered = passkeys.created(await passkeys.begin(user)).credential;
    for (const credential of [passkey, unregistered, deleted.passkey])
      expect((await attempt(credential)).calls).to.deep.equal(CALLS);
  });

  it('read the account of the first known passkey if a passkey is unknown', async () => {
    const attempt = start();
    const [first, second] = [await signUpWithPasskey(), await signUpWithPasskey()];
    const unregistered = passkeys.created(await passkeys.begin(first.user)).credential;
    const ids = [first.user.id, second.user.id];
    expect(ids).not.to.include((await attempt(unregistered)).reads[0]);
    for (const { passkey, user } of [first, second]) {
      expect(await attempt(passkey)).to.deep.equal({ calls: CALLS, reads: [user.id] });
      expect(await attempt(unregistered)).to.deep.equal({ calls: CALLS, reads: [first.user.id] });
    }
  });

  it('read another account for an unknown passkey once that account is deleted', async () => {
    const attempt = start();
    const [first, second] = [await signUpWithPasskey(), await signUpWithPasskey()];
    const unregistered = passkeys.created(await passkeys.begin(second.user)).credential;
    await attempt(first.passkey);
    await deleteAccount(first.user);
    expect((await attempt(unregistered)).calls).to.deep.equal(CALLS);
    await attempt(second.passkey);
    expect(await attempt(unregistered)).to.deep.equal({ calls: CALLS, reads: [second.user.id] });
  });
});
