import { CoreError } from '../../errors.ts';
import type { Account } from '../account.ts';
import type { Caller } from '../base-deps.ts';
import { makeLoginKeys, withKey } from '../claim-login-keys.ts';
import type { Deps } from '../deps.ts';
import { wrongCredentials } from '../errors.ts';
import { withPending } from '../outbox-entries.ts';
import type { Method } from '../session.ts';
import { identityTaken } from './errors.ts';
import { withIdentity } from './identities.ts';

/** A verified account, and the methods that proved its owner. */
interface ByIdentity {
  readonly account: Account;
  readonly methods: readonly Method[];
}

/**
 * Requires the token of a registration by an identity beside the mailed code: the owner of the email, who has the code,
 * need not be the owner of the identity. Undefined if the registration has no identity and no token was sent. Throws
 * `unauthenticated` (`wrong_credentials`), and `conflict` (`identity_taken`) when another account has the identity by
 * now.
 */
export const makeVerifyRegistration = (deps: Deps) => {
  const { clock, digest, entries } = deps;
  const keys = makeLoginKeys(deps);

  return async (
    account: Account,
    token: string | undefined,
    caller: Caller,
  ): Promise<ByIdentity | undefined> => {
    const { registration } = account;
    if (registration === null && token === undefined) return undefined;
    if (registration === null || token === undefined) throw wrongCredentials();
    if (!digest.equal(digest.sha256(token), registration.tokenDigest)) throw wrongCredentials();
    const identity = { ...registration.identity, createdAt: new Date(clock.now()).toISOString() };
    const loginKey = await keys.claim(account, identity.key).catch((error: unknown) => {
      throw error instanceof CoreError && error.code === 'login_key_taken' ? identityTaken() : error;
    });
    const claimed = withKey(account, loginKey);
    const bound = {
      ...claimed,
      registration: null,
      oauthAccounts: withIdentity(claimed.oauthAccounts, identity),
    };
    return {
      account: withPending(
        bound,
        entries.ownAudit(account.id, 'account.created_by_provider', caller, {
          after: { provider: identity.provider },
        }),
      ),
      methods: ['code', 'oidc'],
    };
  };
};
