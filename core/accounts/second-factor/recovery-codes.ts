import { list, object, type TypeOf, text } from '../../schema.ts';
import { type Caller, calledFrom } from '../caller.ts';
import { changeOwnAccount } from '../change-account.ts';
import { codeDigest, grouped, newCrockford } from '../codes.ts';
import type { Deps } from '../deps.ts';
import { withPending } from '../outbox-entries.ts';
import { actingSession, type Principal } from '../principal.ts';
import { logRefusedFactor, proveFactorByCode, SECOND_FACTOR } from './check-second-factor.ts';
import { twoFactorOff } from './switch-second-factor.ts';

export const RECOVERY_CODES = list(text({ examples: ['7K3M-Q9XZ-T4RB-WC2N-0VHD-8JYE'] }), {
  description: 'Each is valid once; they are not shown again',
});

export const renewRecoveryCodesInput = object({ verificationCode: SECOND_FACTOR.verificationCode });
export type RenewRecoveryCodesInput = TypeOf<typeof renewRecoveryCodesInput>;

export const renewRecoveryCodesResult = object({ recoveryCodes: RECOVERY_CODES });
export type RenewRecoveryCodesResult = TypeOf<typeof renewRecoveryCodesResult>;

/** 120 random bits in Crockford's base 32. From 112 bits on, a code needs no slow hash (NIST SP 800-63B section 3.1.2.2). */
const CHARACTERS = 24;

/** New recovery codes, which are shown once, and their digests, which are stored. */
export const newRecoveryCodes = (
  { digest, policy, random }: Deps,
  userId: string,
): { readonly codes: readonly string[]; readonly digests: readonly string[] } => {
  const codes = Array.from({ length: policy.recoveryCodes }, () => newCrockford(random, CHARACTERS));
  return {
    codes: codes.map((code) => grouped(code, 4)),
    digests: codes.map((code) => codeDigest(digest, 'recovery', userId, code)),
  };
};

/**
 * Replaces all recovery codes, used and unused ones. Requires a code, or the fresh proof of an owner who may have none, and logs
 * and throws the refusal. See decision 0009.
 */
export const makeRenewRecoveryCodes = (deps: Deps) => {
  const { clock, entries, log } = deps;

  return async (
    principal: Principal,
    { verificationCode: code }: RenewRecoveryCodesInput,
    caller: Caller,
  ): Promise<RenewRecoveryCodesResult> => {
    const { id } = principal.user;
    const { codes, digests } = newRecoveryCodes(deps, id);
    await changeOwnAccount<void>(deps, principal, async (account) => {
      const proof = await proveFactorByCode(deps, principal, account, code, caller);
      if (account.twoFactor === null) return { next: null, refuse: twoFactorOff() };
      if (proof.refuse !== null) return proof;
      const updated = proof.account;
      const recoveryAt = clock.now();
      const recoveryBy = actingSession(principal.session);
      const renewedCodes = { recovery: digests, recoveryAt, recoveryBy, usedRecovery: [] };
      const twoFactor = updated.twoFactor && { ...updated.twoFactor, ...renewedCodes };
      const row = entries.ownAudit(id, 'two_factor.recovery_codes_made', caller);
      const notice = entries.notice(account, 'recovery-codes-renewed', caller);
      return { next: withPending({ ...updated, twoFactor }, row, notice), answer: undefined };
    }).catch(logRefusedFactor(deps, id, caller));
    log.info('two_factor.recovery_codes_made', { userId: id, ...calledFrom(caller) });
    return { recoveryCodes: codes };
  };
};
