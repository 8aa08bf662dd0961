import { consoleRefusal } from '../authority.ts';
import { restricted } from '../errors.ts';
import { type Identity, userOf, userSessionOf } from '../identity.ts';
import type { Kit } from '../kit.ts';
import { type Caller, calledFrom } from '../needs.ts';
import { makeReadCookie } from '../sessions/read-cookie.ts';

/**
 * As `authenticateCookie`, for sessions of the console alone; role and second factor are read anew each time.
 * See decision 0103.
 */
export const makeAuthenticateConsole = (kit: Kit) => {
  const { clock, log } = kit;
  const readCookie = makeReadCookie(kit, 'console');

  return async (value: string, standing: 'any' | 'operator', caller?: Caller): Promise<Identity> => {
    const { account, session, claims, cookie } = await readCookie(value, caller);
    const reason = standing === 'any' ? undefined : consoleRefusal(account, clock.now());
    if (reason !== undefined) {
      log.info('access.refused', { userId: account.id, reason, ...(caller && calledFrom(caller)) });
      throw restricted(reason);
    }
    return { user: userOf(account), session: userSessionOf(session), claims, cookie };
  };
};
