import { token } from '../../answer-schemas.ts';
import { either, list, object, type TypeOf } from '../../schema.ts';
import { type Account, type LinkedIdentity, OAUTH_ACCOUNT, oauthAccount, shownIdentity } from '../account.ts';
import { type Caller, calledFrom } from '../caller.ts';
import { changeOwnAccount, type Decision } from '../change-account.ts';
import { loginKeyClaim, withKey, withoutKeys } from '../claim-login-keys.ts';
import type { Deps } from '../deps.ts';
import { identityKey } from '../login-key.ts';
import { withPending } from '../outbox-entries.ts';
import { actingSession, type Principal } from '../principal.ts';
import { requireFresh } from '../sessions/require-fresh.ts';
import { lastMethodRefusal, opensAccountBy } from '../sign-in-methods.ts';
import { checkFlowRequest, newTicket, type TicketRequest } from './begin-flow.ts';
import { identityNotFound, identityTaken, invalidFlow, tooManyIdentities, wrongAccount } from './errors.ts';
import { linkedIdentity, providerName, vouchedEmailOf, withIdentity } from './identities.ts';
import type { ProviderIdentity } from './identity-provider.ts';
import {
  type FlowCode,
  findProvider,
  findRedeemedFlow,
  flowCode,
  makeFlowCodes,
  presentFlowCode,
} from './provider-flow.ts';

export const LINK_TOKEN = token('In place of `code` and `verifier`: from the refusal `account_exists`');
export const confirmLinkInput = either('linkToken', object({ linkToken: LINK_TOKEN }), flowCode);
/** The code of a flow that this session began, or the token from `account_exists`. */
export type ConfirmLinkInput = TypeOf<typeof confirmLinkInput>;

export const linkResult = object({ oauthAccounts: list(oauthAccount) });
/** All identities that are linked to the account after the change. */
export type LinkResult = TypeOf<typeof linkResult>;

interface LinkOutcome {
  readonly account: Account;
  /** False if the identity opened the account before. */
  readonly isNew: boolean;
}

/** Issues a ticket for a flow that adds an identity to the session's account. */
export const makeBeginLink =
  (deps: Deps) =>
  async (
    principal: Principal,
    provider: string,
    input: TicketRequest,
    caller: Caller,
  ): Promise<{ readonly ticket: string }> => {
    findProvider(deps, provider);
    checkFlowRequest(deps, input);
    await requireFresh(deps, principal, caller);
    const { identitiesPerUser: most } = deps.policy;
    if (principal.user.oauthAccounts.length >= most) throw tooManyIdentities(most);
    return { ticket: newTicket(deps, provider, 'link', input, principal) };
  };

/** Links an identity to the caller's account, so that it opens the account from now on. */
export const makeConfirmLink = (deps: Deps) => {
  const { claimInTurn, clock, digest, domains, entries, keys, log, policy } = deps;

  /** The identity of a refused sign-up, for the account with its email; requires a fresh proof. */
  const identityOfLinkToken = async (
    principal: Principal,
    linkToken: string,
    caller: Caller,
  ): Promise<ProviderIdentity> => {
    await requireFresh(deps, principal, caller);
    const { identity, flowId } = await findRedeemedFlow(deps, 'link-token', linkToken);
    if (vouchedEmailOf(domains, identity) !== principal.user.email) throw wrongAccount();
    if (!(await makeFlowCodes(deps).close(flowId, clock.now()))) throw invalidFlow();
    return identity;
  };

  /** The identity of a flow that this session began; the fresh proof was required then. */
  const identityOfFlow = async ({ session }: Principal, code: FlowCode): Promise<ProviderIdentity> => {
    const { flow, redeem } = await presentFlowCode(deps, code, 'link', session.id);
    await redeem();
    return flow.identity;
  };

  return async (principal: Principal, input: ConfirmLinkInput, caller: Caller): Promise<LinkResult> => {
    const identity =
      'linkToken' in input
        ? await identityOfLinkToken(principal, input.linkToken, caller)
        : await identityOfFlow(principal, input);

    const decide = async (account: Account): Promise<Decision<LinkOutcome>> => {
      const now = clock.now();
      const linked = { ...linkedIdentity(digest, identity, now), addedBy: actingSession(principal.session) };
      if (loginKeyClaim(account, linked.key) !== undefined)
        return { next: null, answer: { account, isNew: false } };
      const oauthAccounts = withIdentity(account.oauthAccounts, linked);
      if (oauthAccounts.length > policy.identitiesPerUser) {
        return { next: null, refuse: tooManyIdentities(policy.identitiesPerUser) };
      }
      // A replaced identity, such as one at the provider's former issuer, must not open the account without being listed.
      const replaced = account.oauthAccounts.filter((former) => !oauthAccounts.includes(former));
      const replacedKeys = replaced.flatMap(({ key }) => key ?? []);
      const withoutReplaced = withoutKeys(entries, account, replacedKeys);
      const loginKey = await keys.claim(account, linked.key);
      if (loginKey === 'taken') return { next: null, refuse: identityTaken() };
      const next = withPending(
        { ...withKey(withoutReplaced, loginKey), oauthAccounts, updatedAt: now },
        entries.ownAudit(account.id, 'identity.linked', caller, { after: { provider: identity.provider } }),
        entries.notice(account, 'identity-linked', caller, {
          provider: providerName(deps, identity.provider),
        }),
      );
      return { next, answer: { account: next, isNew: true } };
    };

    const key = identityKey(digest, identity.issuer, identity.subject);
    const { account, isNew } = await claimInTurn(key, () => changeOwnAccount(deps, principal, decide));
    if (isNew) log.info('identity.linked', { userId: account.id, ...calledFrom(caller) });
    return { oauthAccounts: account.oauthAccounts.map(shownIdentity) };
  };
};

export const identityName = object({
  provider: OAUTH_ACCOUNT.provider,
  providerAccountId: OAUTH_ACCOUNT.providerAccountId,
});
/** One identity of an account. */
export type IdentityName = TypeOf<typeof identityName>;

export const findIdentity = (
  { oauthAccounts }: Account,
  { provider, providerAccountId }: IdentityName,
): LinkedIdentity | undefined =>
  oauthAccounts.find(
    (identity) => identity.provider === provider && identity.providerAccountId === providerAccountId,
  );

/** The account without the identity. The identity's login key is freed after the write; an imported identity may have none yet. */
export const withoutIdentity = (
  { entries }: Pick<Deps, 'entries'>,
  account: Account,
  identity: LinkedIdentity,
): Account => {
  const oauthAccounts = account.oauthAccounts.filter((other) => other !== identity);
  const keys = identity.key === undefined ? [] : [identity.key];
  return withoutKeys(entries, { ...account, oauthAccounts }, keys);
};

/** Removes an identity from the caller's account. The identity opens nothing from then on, and any account may link it. */
export const makeUnlink = (deps: Deps) => {
  const { clock, entries, log } = deps;

  return async (principal: Principal, name: IdentityName, caller: Caller): Promise<LinkResult> => {
    const { provider } = name;
    await requireFresh(deps, principal, caller);
    const account = await changeOwnAccount(deps, principal, (current): Decision<Account> => {
      const identity = findIdentity(current, name);
      if (identity === undefined) return { next: null, refuse: identityNotFound() };
      const now = clock.now();
      const remaining = { ...withoutIdentity(deps, current, identity), updatedAt: now };
      // An identity that opens nothing, such as one of a former provider, may always be removed.
      const refuse = opensAccountBy(deps, current)(identity) ? lastMethodRefusal(deps, remaining) : undefined;
      if (refuse !== undefined) return { next: null, refuse };
      const next = withPending(
        remaining,
        entries.ownAudit(current.id, 'identity.unlinked', caller, { before: { provider } }),
        entries.notice(current, 'identity-unlinked', caller, { provider: providerName(deps, provider) }),
      );
      return { next, answer: next };
    });
    log.info('identity.unlinked', { userId: account.id, ...calledFrom(caller) });
    return { oauthAccounts: account.oauthAccounts.map(shownIdentity) };
  };
};
