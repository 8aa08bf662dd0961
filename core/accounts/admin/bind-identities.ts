import { itemsOf } from '../../pagination.ts';
import { type Account, exists, type LinkedIdentity, type OAuthAccount } from '../account.ts';
import { withKey } from '../claim-login-keys.ts';
import type { Deps } from '../deps.ts';
import { directoryPages } from '../directory.ts';
import { identityKey } from '../login-key.ts';
import { withPending } from '../outbox-entries.ts';
import { type AcceptedOperator, acceptOperator, type Operator } from './admin-action.ts';

/**
 * The outcome for an imported identity: bound, or the reason against it. `shared`: several accounts have the identity.
 * `taken`: another account signs in with it. `not_of_the_provider`: the id is not in the provider's format.
 */
export type IdentityBinding =
  | 'bound'
  | 'provider_not_set'
  | 'not_of_the_provider'
  | 'email_not_verified'
  | 'shared'
  | 'taken';

export interface BoundIdentity extends Pick<OAuthAccount, 'provider' | 'providerAccountId'> {
  readonly userId: string;
  readonly email: string;
  readonly outcome: IdentityBinding;
}

const PAGE = 500;

/** The login key of an identity; undefined if the provider is not configured, or the id is not in the provider's format. */
export const makeKeyOf =
  ({ digest, providers }: Pick<Deps, 'digest' | 'providers'>) =>
  ({ provider, providerAccountId }: Pick<OAuthAccount, 'provider' | 'providerAccountId'>) => {
    const issuer = providers.issuerOf(provider, providerAccountId);
    return issuer === undefined ? undefined : identityKey(digest, issuer, providerAccountId);
  };

/** Gives each imported identity its login key, so that its owner can sign in with it. A dry run only tells the outcomes. */
export const makeBindIdentities = (deps: Deps) => {
  const { accounts, change, claimInTurn, directory, entries, keys, providers, wake } = deps;
  const keyOf = makeKeyOf(deps);

  const allAccounts = () => itemsOf(directoryPages(directory, {}, PAGE));

  /** The keys of identities that more than one account has, bound or not. */
  const findShared = async (): Promise<ReadonlySet<string>> => {
    const allKeys = new Set<string>();
    const shared = new Set<string>();
    for await (const { oauthAccounts } of allAccounts()) {
      const keysOfAccount = new Set(oauthAccounts.map((identity) => identity.key ?? keyOf(identity)));
      for (const key of keysOfAccount) {
        if (key === undefined) continue;
        if (allKeys.has(key)) shared.add(key);
        allKeys.add(key);
      }
    }
    return shared;
  };

  /** Undefined if the account was deleted meanwhile. */
  const bind = (userId: string, key: string, by: AcceptedOperator): Promise<IdentityBinding | undefined> => {
    const find = () => accounts.find(userId);
    return change<IdentityBinding | undefined>(find, async (account) => {
      if (!exists(account)) return { next: null, answer: undefined };
      if (!account.verified) return { next: null, answer: 'email_not_verified' };
      const isUnbound = (identity: LinkedIdentity) => identity.key === undefined && keyOf(identity) === key;
      const unbound = account.oauthAccounts.find(isUnbound);
      // Bound by another process or removed meanwhile: nothing is left to bind.
      if (unbound === undefined) return { next: null, answer: 'bound' };
      const row = entries.audit({
        action: 'identity.bound',
        target: userId,
        after: { provider: unbound.provider },
        ...by,
      });
      const oauthAccounts = account.oauthAccounts.map((identity) =>
        isUnbound(identity) ? { ...identity, key } : identity,
      );
      const claim = await keys.claim(account, key);
      if (claim === 'taken') return { next: null, answer: claim };
      const bound = { ...withKey(account, claim), oauthAccounts };
      return { next: withPending(bound, row), answer: 'bound' };
    });
  };

  /** With null for `by` (a dry run) nothing is bound. */
  const outcomeOf = async (
    account: Account,
    identity: LinkedIdentity,
    shared: ReadonlySet<string>,
    by: AcceptedOperator | null,
  ): Promise<IdentityBinding | undefined> => {
    if (!providers.list.some(({ id }) => id === identity.provider)) return 'provider_not_set';
    const key = keyOf(identity);
    if (key === undefined) return 'not_of_the_provider';
    if (!account.verified) return 'email_not_verified';
    const owner = await keys.find(key);
    if (owner !== undefined && owner.account.id !== account.id) return 'taken';
    if (shared.has(key)) return 'shared';
    return by === null ? 'bound' : claimInTurn(key, () => bind(account.id, key, by));
  };

  return async function* (
    { dryRun }: { readonly dryRun: boolean },
    by: Operator,
  ): AsyncGenerator<BoundIdentity> {
    const operator = acceptOperator(by);
    const shared = await findShared();
    for await (const { id: userId, email, oauthAccounts } of allAccounts()) {
      for (const identity of oauthAccounts) {
        if (identity.key !== undefined) continue;
        // The page may be outdated by now.
        const account = await accounts.find(userId);
        if (!exists(account)) continue;
        const { provider, providerAccountId } = identity;
        const outcome = await outcomeOf(account, identity, shared, dryRun ? null : operator);
        if (outcome !== undefined) yield { userId, email, provider, providerAccountId, outcome };
      }
    }
    if (!dryRun) wake();
  };
};
