import {
  type Behaviour,
  type Credential,
  makeAuthenticator,
} from '../../../support/passkeys/authenticator.ts';
import type { Reply, TestService, User } from '../../../support/service.ts';

/** Of the pages that the software authenticator stands for. */
export const ORIGIN = 'https://app.example.com';

/** Settings of a service that takes its passkeys. */
export const PASSKEYS_ON = {
  PASSKEYS: 'on',
  PASSKEY_RP_ID: 'example.com',
  PASSKEY_ORIGINS: `${ORIGIN},https://example.org`,
};

type Who = Pick<User, 'token'>;

const device = makeAuthenticator(ORIGIN);

/** What somebody does with passkeys over HTTP. A begin's answer may be kept, and used again. */
export const makePasskeyCalls = (service: () => Pick<TestService, 'post' | 'request'>) => {
  const send = (path: string, body: unknown, who?: Who): Promise<Reply> =>
    service().post(path, body, who === undefined ? {} : { token: who.token });

  const begin = (who: Who) => send('/api/auth/passkeys/begin', {}, who);

  /** Answers a beginning as the authenticator would, without sending it. */
  const created = (begun: Reply, behaviour: Parameters<typeof device.create>[1] = {}) => {
    const { credential, answer } = device.create(begun.body.options as never, behaviour);
    return { credential, body: { flow: begun.body.flow, credential: answer } };
  };

  const signed = (begun: Reply, credential: Credential, behaviour: Behaviour = {}) => ({
    flow: begun.body.flow,
    credential: device.get(begun.body.options as never, credential, behaviour),
  });

  return {
    post: (path: string, body: unknown, who?: Who) => send(`/api/auth/${path}`, body, who),
    begin,
    created,
    signed,
    /** Adds a passkey and gives what its device holds. */
    add: async (who: Who, behaviour: Parameters<typeof device.create>[1] = {}) => {
      const { credential, body } = created(await begin(who), behaviour);
      const reply = await send('/api/auth/passkeys', body, who);
      if (reply.status !== 200) throw new Error(`No passkey: ${JSON.stringify(reply.body)}`);
      return { credential, id: String(reply.body.passkey?.id) };
    },
    list: (who: Who) => service().request('GET', '/api/auth/passkeys', { token: who.token }),
    remove: (who: Who, id: string) =>
      service().request('DELETE', `/api/auth/passkeys/${id}`, { token: who.token }),
    beginLogin: () => send('/api/auth/login/passkey/begin', {}),
    logIn: async (credential: Credential, behaviour: Behaviour = {}) =>
      send(
        '/api/auth/login/passkey',
        signed(await send('/api/auth/login/passkey/begin', {}), credential, behaviour),
      ),
    /** The second step of a login by password: what `login` answers to the passkey. */
    second: async ({ email, password }: User, credential: Credential, behaviour: Behaviour = {}) => {
      const { body } = await send('/api/auth/login', { email, password });
      const { pendingToken } = body;
      const begun = await send('/api/auth/login/second/begin', { email, pendingToken });
      const passkey = begun.status === 200 ? signed(begun, credential, behaviour) : undefined;
      return send('/api/auth/login', { email, pendingToken, passkey });
    },
    prove: async (who: Who, credential: Credential, behaviour: Behaviour = {}, more: object = {}) => {
      const begun = await send('/api/auth/reauthenticate/passkey/begin', {}, who);
      return send(
        '/api/auth/reauthenticate',
        { ...more, passkey: signed(begun, credential, behaviour) },
        who,
      );
    },
  };
};

export const outcome = ({ status, body }: Reply) => [status, body?.code];
