import type { AnyJson, Reply, TestService, User } from '../../../support/service.ts';

const PATH = '/api/user/custom-domain';

export const DAY = 86_400_000;

type Caller = Pick<User, 'token'>;

/** The endpoints of custom domains, and the DNS as their users would set it. */
export const domainsOf = (service: () => TestService) => {
  const show = ({ token }: Caller): Promise<Reply> => service().request('GET', PATH, { token });
  const put = ({ name, value }: AnyJson) => service().dns.set(String(name), String(value));
  const set = ({ token }: Caller, domain: unknown): Promise<Reply> =>
    service().post(PATH, { domain }, { token });
  const verify = ({ token }: Caller): Promise<Reply> =>
    service().request('POST', `${PATH}/verify`, { token });

  return {
    show,
    set,
    verify,
    remove: ({ token }: Caller): Promise<Reply> => service().request('DELETE', PATH, { token }),
    /** Adds the TXT record of a reply to the DNS. */
    put,
    /** Sets a domain and verifies it. */
    own: async (caller: Caller, domain: string): Promise<Reply> => {
      const { body } = await set(caller, domain);
      put(body.verification as AnyJson);
      return verify(caller);
    },
  };
};

/** Status and error code of a reply. */
export const outcome = ({ status, body }: Reply): readonly [number, unknown] => [status, body?.code];
