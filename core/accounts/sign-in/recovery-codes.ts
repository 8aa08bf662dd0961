import { CoreError } from '../../errors.ts';
import { codeDigest, grouped, newCrockford } from '../codes.ts';
import type { Identity } from '../identity.ts';
import type { Kit } from '../kit.ts';
import { type Caller, calledFrom } from '../needs.ts';
import { withPending } from '../pending.ts';
import { logRefusedFactor, makeCheckFactor } from './second-factor.ts';

export interface RenewRecoveryCodes {
  readonly verificationCode: string;
}

/** Characters of Crockford's base 32, 120 random bits: at least 112 need no slow hash (NIST SP 800-63B section 3.1.2.2). */
const CHARACTERS = 24;

/** New recovery codes: to be shown once, and their digests to keep. */
export const newRecoveryCodes = (
  { digest, policy, random }: Kit,
  userId: string,
): { readonly codes: readonly string[]; readonly digests: readonly string[] } => {
  const codes = Array.from({ length: policy.recoveryCodes }, () => newCrockford(random, CHARACTERS));
  return {
    codes: codes.map((code) => grouped(code, 4)),
    digests: codes.map((code) => codeDigest(digest, 'recovery', userId, code)),
  };
};

/** See decision 0014. */
export const makeRenewRecoveryCodes = (kit: Kit) => {
  const { changeUser, clock, entries, log } = kit;
  const checkFactor = makeCheckFactor(kit);

  return async (
    { user: { id } }: Identity,
    input: RenewRecoveryCodes,
    caller: Caller,
  ): Promise<{ readonly recoveryCodes: readonly string[] }> => {
    const { codes, digests } = newRecoveryCodes(kit, id);
    await changeUser(id, async (account) => {
      if (account.twoFactor === null) {
        return {
          next: null,
          refuse: new CoreError('conflict', 'two_factor_off', 'Two-factor authentication is not on.'),
        };
      }
      const checked = await checkFactor(account, account.twoFactor, { code: input.verificationCode }, caller);
      if (checked.refuse !== null) return { next: checked.next, refuse: checked.refuse };
      const proved = checked.next ?? account;
      const recoveryAt = clock.now();
      const renewed = { recovery: digests, recoveryAt, usedRecovery: [] };
      const twoFactor = proved.twoFactor && { ...proved.twoFactor, ...renewed };
      const row = entries.audit({
        action: 'two_factor.recovery_codes_made',
        actor: id,
        target: id,
        caller,
      });
      const at = new Date(recoveryAt).toISOString();
      const notice = entries.mail(account, 'recovery-codes-renewed', { at, address: caller.address });
      return { next: withPending({ ...proved, twoFactor }, row, notice), answer: undefined };
    }).catch(logRefusedFactor(kit, id, caller));
    log.info('two_factor.recovery_codes_made', { userId: id, ...calledFrom(caller) });
    return { recoveryCodes: codes };
  };
};
