import { CoreError } from '../../errors.ts';
import {
  type Account,
  endSessions,
  type LinkedIdentity,
  newAccount,
  type ProviderRegistration,
} from '../account.ts';
import type { Caller } from '../base-deps.ts';
import type { Decision } from '../change-account.ts';
import { makeLoginKeys, withoutKeys } from '../claim-login-keys.ts';
import type { Deps } from '../deps.ts';
import { rememberAddress } from '../known-address.ts';
import { chooseLanguage } from '../mail/languages.ts';
import { isObjectPath } from '../object-path.ts';
import { withPending } from '../outbox-entries.ts';
import type { NamedKey } from '../ports.ts';
import { makeOpenSession, type OpenedSession, type SignInResult } from '../sessions/open-session.ts';
import { linkedIdentity, nameOf } from './identities.ts';
import type { ProviderIdentity } from './identity-provider.ts';
import { createdRow } from './provider-registration.ts';
import type { RedeemedFlow } from './redeem-flow-code.ts';

/** Everything that an earlier registration may have stored for the owner of the email to find. */
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
 * Nothing of an earlier registration stays. Id, entitlements, billing and restrictions stay, since they belong to the
 * email.
 */
const makeWithRegistration =
  ({ clock, digest, entries, random }: Pick<Deps, 'clock' | 'digest' | 'entries' | 'random'>) =>
  (account: Account, identity: LinkedIdentity & { readonly key: string }): Account => {
    const { avatar, loginKeys } = account;
    const keys = loginKeys.map(({ key }) => key);
    return withPending(
      {
        ...endSessions(withoutKeys(entries, account, keys), null),
        ...cleared,
        // The digest of a token that nobody has, so that no mailed code verifies this registration.
        registration: { identity, tokenDigest: digest.sha256(random.text(32)) },
        updatedAt: clock.now(),
      },
      ...(isObjectPath(avatar) ? [entries.task('remove-object', avatar)] : []),
    );
  };

/** The account as its owner gets it: verified, opened by the identity, with the provider's name and picture. */
const makeVerifiedAccount = (deps: Deps) => {
  const { clock, entries, policy, providers } = deps;

  return (
    account: Account,
    identity: ProviderIdentity,
    linked: LinkedIdentity,
    loginKey: NamedKey,
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
      loginKeys: [loginKey],
      updatedAt: now,
    };
    return withPending(
      next,
      entries.event('user.verified', account.id),
      createdRow(deps, account.id, identity.provider, caller),
      entries.mail(next, 'welcome-by-provider', {
        at: new Date(now).toISOString(),
        address: caller.address,
        provider: providerName(deps, identity.provider),
      }),
    );
  };
};

/** The label of the provider's button, or its id if the provider is not configured any more. */
export const providerName = ({ providers }: Pick<Deps, 'providers'>, id: string): string =>
  providers.list.find((provider) => provider.id === id)?.name ?? id;

type RegisteredIdentity = ProviderRegistration['identity'];

/**
 * Creates the account of a new user under the email that the provider vouches for, or takes over an unverified account
 * that waits under it. The account is stored before its login key. Null if a concurrent call was faster with the email
 * or the identity.
 */
export const makeCreateAccountByProvider = (deps: Deps) => {
  const { accounts, change, clock, digest, entries, newId, policy, wake } = deps;
  const keys = makeLoginKeys(deps);
  const openSession = makeOpenSession(deps);
  const withRegistration = makeWithRegistration(deps);
  const verified = makeVerifiedAccount(deps);

  /**
   * Stores an unverified account under the email, whose registration names this identity. If the process dies here, the
   * next sign-in continues from this account.
   */
  const register = async (email: string, identity: RegisteredIdentity, caller: Caller) => {
    const language = chooseLanguage(caller.languages);
    const account = newAccount({
      id: newId(),
      email,
      displayName: null,
      language,
      passwordHash: null,
      now: clock.now(),
    });
    const created = withPending(
      withRegistration(account, identity),
      entries.event('user.created', account.id),
    );
    if (await accounts.add(created)) return wake();
    await change<void>(
      () => accounts.findByEmail(email),
      (existing) => {
        const mayReplace =
          existing?.verified === false && existing.registration?.identity.key !== identity.key;
        return { next: mayReplace ? withRegistration(existing, identity) : null, answer: undefined };
      },
    );
  };

  return async (email: string, { identity }: RedeemedFlow, caller: Caller): Promise<SignInResult | null> => {
    const linked = linkedIdentity(digest, identity, clock.now());
    await register(email, linked, caller);

    const decide = async (account: Account | undefined): Promise<Decision<OpenedSession | null>> => {
      // A concurrent call has verified, deleted or registered the account anew.
      if (account === undefined || account.registration?.identity.key !== linked.key) {
        return { next: null, answer: null };
      }
      const loginKey = await keys.claim(account, linked.key);
      const owned = verified(account, identity, linked, loginKey, caller);
      const next = rememberAddress(digest, policy, owned, caller.client, clock.now());
      return openSession({ next, answer: { account: next, methods: ['oidc'] } }, caller);
    };

    try {
      const session = await change(() => accounts.findByEmail(email), decide);
      return session === null ? null : session.answer;
    } catch (error) {
      // Another account has claimed the identity meanwhile; the caller signs in to that account.
      if (error instanceof CoreError && error.code === 'login_key_taken') return null;
      throw error;
    }
  };
};
