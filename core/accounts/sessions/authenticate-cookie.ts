import type { Identity } from '../identity.ts';
import type { Kit } from '../kit.ts';
import type { Caller } from '../needs.ts';
import { makeAdmit, type Standing } from './authenticate.ts';
import { makeReadCookie } from './read-cookie.ts';

/** As `authenticate`, by the value of a session's cookie. */
export const makeAuthenticateCookie = (kit: Kit) => {
  const readCookie = makeReadCookie(kit);
  const admit = makeAdmit(kit);

  return async (value: string, standing: Standing = 'active', caller?: Caller): Promise<Identity> =>
    admit(await readCookie(value, caller), standing, caller);
};
