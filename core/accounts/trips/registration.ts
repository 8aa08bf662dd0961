import { CoreError } from '../../errors.ts';
import type { Account } from '../account.ts';
import { wrongCredentials } from '../errors.ts';
import { makeLoginKeys, withKey } from '../keys/login-keys.ts';
import type { Kit } from '../kit.ts';
import type { Caller } from '../needs.ts';
import { withPending } from '../pending.ts';
import type { Method } from '../session.ts';
import { identityTaken } from './errors.ts';
import { withIdentity } from './identities.ts';

/** What the audit log says of an account that began with a provider. */
export const createdRow = ({ entries }: Pick<Kit, 'entries'>, id: string, provider: string, caller: Caller) =>
  entries.audit({
    action: 'account.created_by_provider',
    actor: id,
    target: id,
    after: { provider },
    caller,
  });

/** An account that its registration made its owner's, and by what. */
interface ByIdentity {
  readonly account: Account;
  readonly methods: readonly Method[];
}

/**
 * Takes the token of a registration with an identity, beside the mailed code: who has the code alone may be the owner of
 * the email, and the identity a stranger's. Undefined where the registration is of another kind and no token was given.
 * Throws `unauthenticated` (`wrong_credentials`), and `conflict` (`identity_taken`) when another account has the identity
 * by now.
 */
export const makeVerifyRegistration = (kit: Kit) => {
  const { clock, digest } = kit;
  const keys = makeLoginKeys(kit);

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
    const named = await keys.claim(account, identity.key).catch((error: unknown) => {
      throw error instanceof CoreError && error.code === 'login_key_taken' ? identityTaken() : error;
    });
    const owned = withKey(account, named);
    const bound = {
      ...owned,
      registration: null,
      oauthAccounts: withIdentity(owned.oauthAccounts, identity),
    };
    return {
      account: withPending(bound, createdRow(kit, account.id, identity.provider, caller)),
      methods: ['code', 'oidc'],
    };
  };
};
