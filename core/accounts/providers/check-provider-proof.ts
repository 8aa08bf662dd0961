import type { Account } from '../account.ts';
import { loginKeyClaim } from '../claim-login-keys.ts';
import type { Deps } from '../deps.ts';
import { identityKey } from '../login-key.ts';
import type { Principal } from '../principal.ts';
import { invalidFlow } from './errors.ts';
import { type FlowCode, isWithin, presentFlowCode } from './provider-flow.ts';

/** A fresh proof by a provider, whose code is not redeemed yet. */
export interface ProviderProof {
  /** Whether the identity still opens the account. */
  readonly stillProves: (account: Account) => boolean;
  /** Redeems the code; the proof is not valid before. Throws if another call was faster. */
  readonly redeem: () => Promise<void>;
}

/**
 * Checks the result of a flow as a fresh proof: the identity must open the account. Some providers neither ask the user
 * again nor report when they last did; a time that is reported must be recent. The adapter refuses a callback without a
 * time from providers that were asked for one.
 */
export const checkProviderProof = async (
  deps: Deps,
  principal: Principal,
  input: FlowCode,
): Promise<ProviderProof> => {
  const { clock, digest, keys, policy } = deps;
  const { flow, redeem } = await presentFlowCode(deps, input, 'reauth', principal.session.id);
  const { authenticatedAt, issuer, subject } = flow.identity;
  const key = identityKey(digest, issuer, subject);
  const isRecent =
    authenticatedAt === null || isWithin(authenticatedAt, policy.providerProofAge, clock.now());
  const owner = await keys.find(key);
  if (!isRecent || owner?.claimed !== true || owner.account.id !== principal.user.id) {
    // A refused proof spends its code, too.
    await redeem();
    throw invalidFlow();
  }
  return { stillProves: (account) => loginKeyClaim(account, key) !== undefined, redeem };
};
