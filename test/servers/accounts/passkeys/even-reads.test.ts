import { expect } from 'chai';
import { makePasskeys } from '../../../../adapters/authenticators/passkeys.ts';
import { createAccounts, type PasskeyAssertion } from '../../../../core/index.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { caller, openPorts } from '../../../core/accounts/open-core.ts';
import { type Credential, makeAuthenticator } from '../../../support/passkeys/authenticator.ts';
import { type User, useService } from '../../../support/service.ts';
import { useStores } from '../stores.ts';
import { makePasskeyCalls, ORIGIN, PASSKEYS_ON } from './person.ts';

describe('A login with a passkey', () => {
  const service = useService(PASSKEYS_ON);
  const stores = useStores(service);
  const passkeys = makePasskeyCalls(service);

  /** The product on the service's stores, as a process that has just begun, with the calls of the stores. */
  const begin = () => {
    const calls: string[] = [];
    const reads: string[] = [];
    /** The port, with each call of it written down. */
    const noted = <T extends object>(name: string, port: T): T =>
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
        accounts: noted('accounts', accountStore),
        loginKeys: noted('loginKeys', loginKeys),
        flows: noted('flows', flows),
        sessions: noted('sessions', sessions),
        passkeys: makePasskeys({ id: PASSKEYS_ON.PASSKEY_RP_ID, origins: [ORIGIN] }),
      },
      {},
    );
    const device = makeAuthenticator(ORIGIN);
    /** Tries to log in with a wrong signature. Gives the calls of the stores, and the ids of the accounts read. */
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
  const addPerson = async () => {
    const user = await service().signUp();
    return { user, passkey: (await passkeys.add(user)).credential };
  };
  const deleteAccount = ({ password, token }: User) =>
    service().post('/api/auth/delete-account', { password }, { token });

  it('makes the same calls of the store for a passkey that is known and for one that is not', async () => {
    const attempt = begin();
    const { user, passkey } = await addPerson();
    const other = await addPerson();
    await deleteAccount(other.user);
    const neverSeen = passkeys.created(await passkeys.begin(user)).credential;
    for (const credential of [passkey, neverSeen, other.passkey])
      expect((await attempt(credential)).calls).to.deep.equal(CALLS);
  });

  it('reads an account that is there for a passkey that is not known, and always the same one', async () => {
    const attempt = begin();
    const [first, second] = [await addPerson(), await addPerson()];
    const neverSeen = passkeys.created(await passkeys.begin(first.user)).credential;
    const ids = [first.user.id, second.user.id];
    expect(ids).not.to.include((await attempt(neverSeen)).reads[0]);
    for (const { passkey, user } of [first, second]) {
      expect(await attempt(passkey)).to.deep.equal({ calls: CALLS, reads: [user.id] });
      expect(await attempt(neverSeen)).to.deep.equal({ calls: CALLS, reads: [first.user.id] });
    }
  });

  it('reads another account once that one is deleted', async () => {
    const attempt = begin();
    const [first, second] = [await addPerson(), await addPerson()];
    const neverSeen = passkeys.created(await passkeys.begin(second.user)).credential;
    await attempt(first.passkey);
    await deleteAccount(first.user);
    expect((await attempt(neverSeen)).calls).to.deep.equal(CALLS);
    await attempt(second.passkey);
    expect(await attempt(neverSeen)).to.deep.equal({ calls: CALLS, reads: [second.user.id] });
  });
});
