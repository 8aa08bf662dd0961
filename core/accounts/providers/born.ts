import { type Account, endSessions, type LinkedIdentity } from '../account.ts';
import { withoutKeys } from '../keys/login-keys.ts';
import type { Kit } from '../kit.ts';
import { chooseLanguage } from '../mail/languages.ts';
import type { Caller } from '../needs.ts';
import { isObjectPath } from '../object-path.ts';
import { withPending } from '../pending.ts';
import type { NamedKey } from '../ports.ts';
import { nameOf } from '../trips/identities.ts';
import { createdRow } from '../trips/registration.ts';
import type { ProviderIdentity } from '../ways-in/provider.ts';

/** All that an earlier registration may have put there to wait for the owner of the email. */
const cleared = {
  passwordHash: null,
  passwordAt: null,
  displayName: null,
  avatar: null,
  verification: null,
  reset: null,
  emailChange: null,
  formerEmails: [],
  twoFactor: null,
  twoFactorSetup: null,
  twoFactorSetupBy: null,
  spentLogins: [],
  knownAddresses: [],
  oauthAccounts: [],
  loginKeys: [],
  passkeys: [],
  passkeyHandle: null,
} as const satisfies Partial<Account>;

/**
 * Makes an unverified account the newest registration of its email, with an identity whose provider vouches for it.
 * Nothing of an earlier one stays. Id, entitlements, billing and restrictions do, since they were given to the email.
 */
export const makeRegistered =
  ({ clock, digest, entries, random }: Pick<Kit, 'clock' | 'digest' | 'entries' | 'random'>) =>
  (account: Account, identity: LinkedIdentity & { readonly key: string }): Account => {
    const { avatar, loginKeys } = account;
    const keys = loginKeys.map(({ key }) => key);
    return withPending(
      {
        ...endSessions(withoutKeys(entries, account, keys), null),
        ...cleared,
        // The digest of a token that nobody has: no mailed code verifies this one.
        registration: { identity, tokenDigest: digest.sha256(random.text(32)) },
        updatedAt: clock.now(),
      },
      ...(isObjectPath(avatar) ? [entries.task('remove-object', avatar)] : []),
    );
  };

/** Makes such an account the person's, by the key of the identity: verified, with the name that the provider has. */
export const makeBorn = (kit: Kit) => {
  const { clock, entries, policy, providers } = kit;

  return (
    account: Account,
    identity: ProviderIdentity,
    linked: LinkedIdentity,
    named: NamedKey,
    caller: Caller,
  ): Account => {
    const now = clock.now();
    const takesPicture = providers.list.some(({ id, picture }) => id === identity.provider && picture);
    const next: Account = {
      ...account,
      verified: true,
      registration: null,
      displayName: nameOf(policy, identity),
      avatar: takesPicture ? identity.picture : null,
      language: chooseLanguage(caller.languages),
      oauthAccounts: [linked],
      loginKeys: [named],
      updatedAt: now,
    };
    return withPending(
      next,
      entries.event('user.verified', account.id),
      createdRow(kit, account.id, identity.provider, caller),
      entries.mail(next, 'welcome-by-provider', {
        at: new Date(now).toISOString(),
        address: caller.address,
        provider: providerName(kit, identity.provider),
      }),
    );
  };
};

/** What the provider's button says; its id where it is not set any more. */
export const providerName = ({ providers }: Pick<Kit, 'providers'>, id: string): string =>
  providers.list.find((provider) => provider.id === id)?.name ?? id;
