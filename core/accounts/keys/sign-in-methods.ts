import { CoreError } from '../../errors.ts';
import type { Digest } from '../../ports.ts';
import type { Account, LinkedIdentity } from '../account.ts';
import { identityKey } from '../ways-in/login-key.ts';
import type { Passkey, Passkeys } from '../ways-in/passkey.ts';
import type { IdentityProviders } from '../ways-in/provider.ts';

/** What the settings let people sign in with besides passwords. */
export interface WaysIn {
  readonly providers: Pick<IdentityProviders, 'list' | 'issuerOf'>;
  readonly passkeys: Pick<Passkeys, 'relyingParty'>;
  readonly digest: Pick<Digest, 'sha256'>;
}

export type SignInMethod = 'password' | 'oidc' | 'passkey';

/** Whether the passkey is taken at all: for this site, and not found copied. */
export const isUsable = ({ passkeys }: Pick<WaysIn, 'passkeys'>, { rpId, refusedAt }: Passkey): boolean =>
  refusedAt === null && rpId === passkeys.relyingParty?.id;

export const usablePasskeys = (ways: Pick<WaysIn, 'passkeys'>, account: Account): readonly Passkey[] =>
  account.passkeys.filter((passkey) => isUsable(ways, passkey));

/**
 * Whether the identity opens this account: bound, and of a provider that is set. The issuer tells, as at a sign-in: the
 * id of the provider may have been another one when the identity was added, or another provider's.
 */
export const opensBy = ({ providers, digest }: Pick<WaysIn, 'providers' | 'digest'>, account: Account) => {
  const named = new Set(account.loginKeys.map(({ key }) => key));
  return ({ providerAccountId: subject, key }: LinkedIdentity): boolean =>
    key !== undefined &&
    named.has(key) &&
    providers.list.some(({ id }) => {
      const issuer = providers.issuerOf(id, subject);
      return issuer !== undefined && identityKey(digest, issuer, subject) === key;
    });
};

/**
 * How the owner may sign in. A passkey counts once it has shown that it asks for a PIN or a fingerprint. The email is
 * none: it is for who has lost the others.
 */
export const signInMethods = (ways: WaysIn, account: Account): readonly SignInMethod[] => [
  ...(account.passwordHash === null ? [] : (['password'] as const)),
  ...(account.oauthAccounts.some(opensBy(ways, account)) ? (['oidc'] as const) : []),
  ...(usablePasskeys(ways, account).some(({ userVerified }) => userVerified) ? (['passkey'] as const) : []),
];

/** The refusal of a removal that would leave the owner no way to sign in; undefined where one is left. */
export const lastMethodRefusal = (ways: WaysIn, next: Account): CoreError | undefined =>
  signInMethods(ways, next).length > 0
    ? undefined
    : new CoreError(
        'conflict',
        'last_sign_in_method',
        'This is the last way to sign in: add another one, or set a password, first.',
      );
