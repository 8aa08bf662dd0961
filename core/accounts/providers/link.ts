import { CoreError } from '../../errors.ts';
import type { Account, OAuthAccount } from '../account.ts';
import { shownIdentity } from '../account.ts';
import type { Decision } from '../change-account.ts';
import { invalidToken } from '../errors.ts';
import type { Identity } from '../identity.ts';
import { makeLoginKeys, namedKey, withKey, withoutKeys } from '../keys/login-keys.ts';
import type { Kit } from '../kit.ts';
import { type Caller, calledFrom } from '../needs.ts';
import { withPending } from '../pending.ts';
import { makeNeedFresh } from '../sessions/fresh.ts';
import { identityTaken, tooManyIdentities, wrongAccount } from '../trips/errors.ts';
import { linkedIdentity, vouchedEmailOf, withIdentity } from '../trips/identities.ts';
import { makeTakeTrip, type TripCode } from '../trips/take.ts';
import type { ProviderIdentity } from '../ways-in/provider.ts';
import { acceptSetOut, findProvider, makeNewTicket, type SetOut } from './begin.ts';
import { providerName } from './born.ts';

/** A trip of this session's, or what `account_exists` brought. */
export type ConfirmLink = TripCode | { readonly linkToken: string };

export interface Linked {
  readonly oauthAccounts: readonly OAuthAccount[];
}

/** Gives a session a ticket for a trip that adds an identity to its account. */
export const makeBeginLink = (kit: Kit) => {
  const needFresh = makeNeedFresh(kit);
  const newTicket = makeNewTicket(kit);

  return async (
    who: Identity,
    provider: string,
    input: SetOut,
    caller: Caller,
  ): Promise<{ readonly ticket: string }> => {
    findProvider(kit, provider);
    const given = acceptSetOut(kit, input);
    await needFresh(who, caller);
    const { identitiesPerUser: most } = kit.policy;
    if (who.user.oauthAccounts.length >= most) throw tooManyIdentities(most);
    return { ticket: newTicket(provider, 'link', given, who.session) };
  };
};

/** Adds an identity to the caller's account, so that it opens it from now on. */
export const makeConfirmLink = (kit: Kit) => {
  const { changeUser, claimInTurn, clock, digest, domains, entries, log, policy } = kit;
  const needFresh = makeNeedFresh(kit);
  const trips = makeTakeTrip(kit);
  const keys = makeLoginKeys(kit);

  /** The identity that waits for an account with its email: this one has it, by a session that shows a fresh proof. */
  const waiting = async (who: Identity, linkToken: string, caller: Caller): Promise<ProviderIdentity> => {
    await needFresh(who, caller);
    const trip = await trips.byToken('link-token', linkToken);
    const { identity } = trip;
    if (vouchedEmailOf(domains, identity) !== who.user.email) throw wrongAccount();
    await trips.spend(trip);
    return identity;
  };

  return async (who: Identity, input: ConfirmLink, caller: Caller): Promise<Linked> => {
    const identity =
      'linkToken' in input
        ? await waiting(who, input.linkToken, caller)
        : (await trips.byCode(input, 'link', who.session.id)).identity;

    const decide = async (account: Account): Promise<Decision<Account>> => {
      if (account.sessionEpoch !== who.user.sessionEpoch) return { next: null, refuse: invalidToken() };
      const now = clock.now();
      const linked = linkedIdentity(digest, identity, now);
      if (namedKey(account, linked.key) !== undefined) return { next: null, answer: account };
      const oauthAccounts = withIdentity(account.oauthAccounts, linked);
      if (oauthAccounts.length > policy.identitiesPerUser) {
        return { next: null, refuse: tooManyIdentities(policy.identitiesPerUser) };
      }
      // Of the same name at an issuer that the provider had before: without its identity nobody sees that it opens.
      const replaced = account.oauthAccounts.filter((one) => !oauthAccounts.includes(one));
      const kept = withoutKeys(
        entries,
        account,
        replaced.flatMap(({ key }) => key ?? []),
      );
      const named = await keys.claim(account, linked.key);
      const next = withPending(
        { ...withKey(kept, named), oauthAccounts, updatedAt: now },
        entries.audit({
          action: 'identity.linked',
          actor: account.id,
          target: account.id,
          after: { provider: identity.provider },
          caller,
        }),
        entries.mail(account, 'identity-linked', {
          at: new Date(now).toISOString(),
          address: caller.address,
          provider: providerName(kit, identity.provider),
        }),
      );
      return { next, answer: next };
    };

    const { key } = linkedIdentity(digest, identity, clock.now());
    const link = () => changeUser(who.user.id, decide);
    const account = await claimInTurn(key, link).catch((error: unknown) => {
      throw error instanceof CoreError && error.code === 'login_key_taken' ? identityTaken() : error;
    });
    log.info('identity.linked', { userId: account.id, ...calledFrom(caller) });
    return { oauthAccounts: account.oauthAccounts.map(shownIdentity) };
  };
};
