import { CoreError } from '../errors.ts';
import type { Digest } from '../ports.ts';
import type { Account, LinkedIdentity } from './account.ts';
import { identityKey } from './login-key.ts';
import type { Passkey, Passkeys } from './passkeys/passkey.ts';
import type { IdentityProviders } from './providers/identity-provider.ts';

/** The settings about credentials other than passwords. */
export interface CredentialSettings {
  readonly providers: Pick<IdentityProviders, 'list' | 'issuerOf'>;
  readonly passkeys: Pick<Passkeys, 'relyingParty'>;
  readonly digest: Pick<Digest, 'sha256'>;
}

export const SIGN_IN_METHODS = ['password', 'oidc', 'passkey'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

/** Whether the passkey is accepted: it is for this site, and was not found to be copied. */
export const isUsable = (
  { passkeys }: Pick<CredentialSettings, 'passkeys'>,
  { rpId, refusedAt }: Passkey,
): boolean => refusedAt === null && rpId === passkeys.relyingParty?.id;

export const usablePasskeys = (
  settings: Pick<CredentialSettings, 'passkeys'>,
  account: Account,
): readonly Passkey[] => account.passkeys.filter((passkey) => isUsable(settings, passkey));

/**
 * Whether the identity opens this account: the account has its login key, and its provider is configured. As at a sign-in, the
 * provider is found by its issuer, not by its id in the settings: the id may have changed after the identity was added, or may
 * now be that of another provider.
 */
export const opensAccountBy = (
  { providers, digest }: Pick<CredentialSettings, 'providers' | 'digest'>,
  account: Account,
) => {
  const keys = new Set(account.loginKeys.map(({ key }) => key));
  return ({ providerAccountId: subject, key }: LinkedIdentity): boolean =>
    key !== undefined &&
    keys.has(key) &&
    providers.list.some(({ id }) => {
      const issuer = providers.issuerOf(id, subject);
      return issuer !== undefined && identityKey(digest, issuer, subject) === key;
    });
};

/**
 * The methods by which the owner may sign in. A passkey counts once it has verified its user by a PIN or a fingerprint.
 * The email does not count: it is for owners who have lost the other methods.
 */
export const signInMethods = (settings: CredentialSettings, account: Account): readonly SignInMethod[] => [
  ...(account.passwordHash === null ? [] : (['password'] as const)),
  ...(account.oauthAccounts.some(opensAccountBy(settings, account)) ? (['oidc'] as const) : []),
  ...(usablePasskeys(settings, account).some(({ userVerified }) => userVerified)
    ? (['passkey'] as const)
    : []),
];

/** The refusal of a removal that would leave no sign-in method; undefined if a method remains. */
export const lastMethodRefusal = (settings: CredentialSettings, next: Account): CoreError | undefined =>
  signInMethods(settings, next).length > 0
    ? undefined
    : new CoreError(
        'conflict',
        'last_sign_in_method',
        'This is the last sign-in method: add another one, or set a password, first.',
      );

export const SECOND_FACTORS = ['totp', 'passkey', 'recovery'] as const;
export type SecondFactor = (typeof SECOND_FACTORS)[number];

/** The second factors that the account accepts; none while two-factor authentication is off. */
export const secondFactors = (
  deps: Pick<CredentialSettings, 'passkeys'>,
  account: Account,
): readonly SecondFactor[] => {
  if (account.twoFactor === null) return [];
  const hasPasskey = usablePasskeys(deps, account).length > 0;
  return [
    ...(account.twoFactor.secret === null ? [] : (['totp'] as const)),
    ...(hasPasskey ? (['passkey'] as const) : []),
    'recovery',
  ];
};
