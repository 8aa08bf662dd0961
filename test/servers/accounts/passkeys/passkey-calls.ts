import {
  type Behaviour,
  type Credential,
  makeAuthenticator,
} from '../../../support/passkeys/authenticator.ts';
import type { Reply, TestService, User } from '../../../support/service.ts';

/** The origin of the pages that use the software authenticator. */
export const ORIGIN = 'https://app.example.com';

/** Settings of a service that accepts its passkeys. */
export const PASSKEYS_ON = {
  PASSKEYS: 'on',
  PASSKEY_RP_ID: 'example.com',
  PASSKEY_ORIGINS: `${ORIGIN},https://example.org`,
};

type Caller = Pick<User, 'token'>;

const device = makeAuthenticator(ORIGIN);

/** The calls of a user with passkeys. The reply of a begin can be kept and answered more than once. */
export const makePasskeyCalls = (service: () => Pick<TestService, 'post' | 'request'>) => {
  const send = (path: string, body: unknown, caller?: Caller): Promise<Reply> =>
    service().post(path, body, caller === undefined ? {} : { token: caller.token });

  const begin = (caller: Caller) => send('/api/auth/passkeys/begin', {}, caller);

  /** Answers the options of a begin as the authenticator does, without sending the answer. */
  const created = (begun: Reply, behaviour: Parameters<typeof device.create>[1] = {}) => {
    const { credential, answer } = device.create(begun.body.options as never, behaviour);
    return { credential, body: { flow: begun.body.flow, credential: answer } };
  };

  const signed = (begun: Reply, credential: Credential, behaviour: Behaviour = {}) => ({
    flow: begun.body.flow,
    credential: device.get(begun.body.options as never, credential, behaviour),
  });

  return {
    post: (path: string, body: unknown, caller?: Caller) => send(`/api/auth/${path}`, body, caller),
    begin,
    created,
    signed,
    /** Adds a passkey, and returns its id and the credential of the device. */
    add: async (caller: Caller, behaviour: Parameters<typeof device.create>[1] = {}) => {
      const { credential, body } = created(await begin(caller), behaviour);
      const reply = await send('/api/auth/passkeys', body, caller);
      if (reply.status !== 200) throw new Error(`No passkey: ${JSON.stringify(reply.body)}`);
      return { credential, id: String(reply.body.passkey?.id) };
    },
    list: (caller: Caller) => service().request('GET', '/api/auth/passkeys', { token: caller.token }),
    remove: (caller: Caller, id: string) =>
      service().request('DELETE', `/api/auth/passkeys/${id}`, { token: caller.token }),
    beginLogin: () => send('/api/auth/login/passkey/begin', {}),
    logIn: async (credential: Credential, behaviour: Behaviour = {}) =>
      send(
        '/api/auth/login/passkey',
        signed(await send('/api/auth/login/passkey/begin', {}), credential, behaviour),
      ),
    /** Logs in by password with the passkey as second factor, and returns the last reply. */
    second: async ({ email, password }: User, credential: Credential, behaviour: Behaviour = {}) => {
      const { body } = await send('/api/auth/login', { email, password });
      const { pendingToken } = body;
      const begun = await send('/api/auth/login/second/begin', { email, pendingToken });
      const passkey = begun.status === 200 ? signed(begun, credential, behaviour) : undefined;
      return send('/api/auth/login', { email, pendingToken, passkey });
    },
    prove: async (caller: Caller, credential: Credential, behaviour: Behaviour = {}, more: object = {}) => {
      const begun = await send('/api/auth/reauthenticate/passkey/begin', {}, caller);
      return send(
        '/api/auth/reauthenticate',
        { ...more, passkey: signed(begun, credential, behaviour) },
        caller,
      );
    },
  };
};

export const outcome = ({ status, body }: Reply) => [status, body?.code];
