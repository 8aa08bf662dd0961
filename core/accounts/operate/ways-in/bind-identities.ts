import { CoreError } from '../../../errors.ts';
import { pagesOf } from '../../../pages.ts';
import type { Account, LinkedIdentity, OAuthAccount } from '../../account.ts';
import { makeLoginKeys, withKey } from '../../keys/login-keys.ts';
import type { Kit } from '../../kit.ts';
import { withPending } from '../../pending.ts';
import { identityKey } from '../../ways-in/login-key.ts';
import { type AcceptedOperator, acceptOperator, type Operator } from '../act.ts';

/**
 * What became of an imported identity: bound, or why not. `shared`: several accounts have it. `taken`: it opens another
 * account. `not_of_the_provider`: the provider would not call anybody so.
 */
export type Binding =
  | 'bound'
  | 'provider_not_set'
  | 'not_of_the_provider'
  | 'email_not_verified'
  | 'shared'
  | 'taken';

/** An imported identity, and what became of it. */
export interface BoundIdentity extends Pick<OAuthAccount, 'provider' | 'providerAccountId'> {
  readonly userId: string;
  readonly email: string;
  readonly outcome: Binding;
}

const PAGE = 500;

/** The login key of an identity at a provider that is set; undefined where that would not name anybody so. */
export const makeKeyOf =
  ({ digest, providers }: Pick<Kit, 'digest' | 'providers'>) =>
  ({ provider, providerAccountId }: Pick<OAuthAccount, 'provider' | 'providerAccountId'>) => {
    const issuer = providers.issuerOf(provider, providerAccountId);
    return issuer === undefined ? undefined : identityKey(digest, issuer, providerAccountId);
  };

export const makeBindIdentities = (kit: Kit) => {
  const { accounts, changeUser, claimInTurn, directory, entries, providers, wake } = kit;
  const keys = makeLoginKeys(kit);
  const keyOf = makeKeyOf(kit);

  async function* all(): AsyncGenerator<Account> {
    const pages = pagesOf<Account>(PAGE, (after, limit) =>
      directory.list({}, after === null ? { skip: 0 } : { after }, limit),
    );
    for await (const page of pages) yield* page;
  }

  /** The keys that more than one account has, bound or not. */
  const findShared = async (): Promise<ReadonlySet<string>> => {
    const [seen, shared] = [new Set<string>(), new Set<string>()];
    for await (const { oauthAccounts } of all()) {
      for (const key of new Set(oauthAccounts.map((one) => one.key ?? keyOf(one)))) {
        if (key === undefined) continue;
        if (seen.has(key)) shared.add(key);
        seen.add(key);
      }
    }
    return shared;
  };

  /** Binds an identity, unless it went meanwhile, or the email is not verified any more. */
  const bind = (userId: string, key: string, by: AcceptedOperator): Promise<Binding> =>
    changeUser<Binding>(userId, async (account) => {
      if (!account.verified) return { next: null, answer: 'email_not_verified' };
      const isMeant = (one: LinkedIdentity) => one.key === undefined && keyOf(one) === key;
      const meant = account.oauthAccounts.find(isMeant);
      if (meant === undefined) return { next: null, answer: 'bound' };
      const row = entries.audit({
        action: 'identity.bound',
        target: userId,
        after: { provider: meant.provider },
        ...by,
      });
      const oauthAccounts = account.oauthAccounts.map((one) => (isMeant(one) ? { ...one, key } : one));
      const bound = { ...withKey(account, await keys.claim(account, key)), oauthAccounts };
      return { next: withPending(bound, row), answer: 'bound' };
    });

  const bindUnlessTaken = async (userId: string, key: string, by: AcceptedOperator): Promise<Binding> => {
    try {
      return await claimInTurn(key, () => bind(userId, key, by));
    } catch (error) {
      if (error instanceof CoreError && error.code === 'login_key_taken') return 'taken';
      throw error;
    }
  };

  const outcomeOf = async (
    account: Account,
    identity: LinkedIdentity,
    shared: ReadonlySet<string>,
    by: AcceptedOperator | null,
  ): Promise<Binding> => {
    if (!providers.list.some(({ id }) => id === identity.provider)) return 'provider_not_set';
    const key = keyOf(identity);
    if (key === undefined) return 'not_of_the_provider';
    if (!account.verified) return 'email_not_verified';
    const owner = await keys.find(key);
    if (owner !== undefined && owner.account.id !== account.id) return 'taken';
    if (shared.has(key)) return 'shared';
    return by === null ? 'bound' : bindUnlessTaken(account.id, key, by);
  };

  return async function* (
    { dryRun }: { readonly dryRun: boolean },
    by: Operator,
  ): AsyncGenerator<BoundIdentity> {
    const who = acceptOperator(by);
    const shared = await findShared();
    for await (const { id: userId, email, oauthAccounts } of all()) {
      for (const identity of oauthAccounts) {
        if (identity.key !== undefined) continue;
        // As it is now: the page is of some time ago.
        const account = await accounts.find(userId);
        if (account === undefined || account.deletedAt !== null) continue;
        const { provider, providerAccountId } = identity;
        const outcome = await outcomeOf(account, identity, shared, dryRun ? null : who);
        yield { userId, email, provider, providerAccountId, outcome };
      }
    }
    if (!dryRun) wake();
  };
};
