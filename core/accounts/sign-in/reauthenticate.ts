import { TIME, TRUE } from '../../answer-schemas.ts';
import { CoreError, invalid } from '../../errors.ts';
import { isoTime } from '../../iso-times.ts';
import { object, optional, type TypeOf } from '../../schema.ts';
import type { Account } from '../account.ts';
import { type Caller, calledFrom } from '../caller.ts';
import { changeOwnAccount, type Decision, findOwnAccount } from '../change-account.ts';
import type { Deps } from '../deps.ts';
import { wrongCredentials } from '../errors.ts';
import { sessionSubject } from '../passkeys/ceremony.ts';
import { recordPasskeyUse } from '../passkeys/check-assertion.ts';
import { PASSWORD } from '../password-rules.ts';
import { VERIFIER } from '../pkce.ts';
import type { Principal } from '../principal.ts';
import { checkProviderProof, FLOW_CODE, type ProviderProof } from '../providers/provider-flow.ts';
import {
  logRefusedFactor,
  proveFactor,
  readSubmittedFactor,
  SECOND_FACTOR,
  type SubmittedFactor,
} from '../second-factor/check-second-factor.ts';
import type { Method } from '../session.ts';
import { noteProof, requireCookie } from '../sessions/session-cookie.ts';
import type { NewCookie } from '../sessions/session-secret.ts';
import { checkCurrentPassword } from '../verify-password.ts';

export const reauthenticateInput = object({
  password: optional(PASSWORD),
  passkey: SECOND_FACTOR.passkey,
  verificationCode: SECOND_FACTOR.verificationCode,
  code: optional(FLOW_CODE),
  verifier: optional(VERIFIER),
});
/**
 * Contains a password, the code of a provider flow with its verifier, or a passkey. Where two-factor authentication is
 * on, password and provider need a second factor as well: a code or a passkey.
 */
export type ReauthenticateInput = TypeOf<typeof reauthenticateInput>;

type ProofDecision = Decision<readonly Method[]>;

export const reauthenticateResult = object({ success: TRUE, freshUntil: TIME });
/** Calls that need a fresh proof are allowed until `freshUntil`, ISO 8601. */
export interface ReauthenticateResult extends TypeOf<typeof reauthenticateResult> {
  /** The new value where the session is in a cookie. The former value stays valid for a minute. */
  readonly cookie?: NewCookie;
}

export const makeReauthenticate = (deps: Deps) => {
  const { log } = deps;

  return async (
    principal: Principal,
    input: ReauthenticateInput,
    caller: Caller,
  ): Promise<ReauthenticateResult> => {
    requireCookie(principal);
    const { user } = principal;
    const proveFirstFactor = async (): Promise<ProviderProof & { readonly method: Method }> => {
      const { code, verifier, password } = input;
      if (code !== undefined && verifier !== undefined) {
        return { method: 'oidc', ...(await checkProviderProof(deps, principal, { code, verifier })) };
      }
      if (password === undefined && (code !== undefined || verifier !== undefined))
        throw invalid('invalid_request', "Send 'code' and 'verifier' together.");
      await checkCurrentPassword(deps, user, password, caller);
      // A password that is changed from here on ends the session, which `changeOwnAccount` then refuses.
      return { method: 'password', stillProves: () => true, redeem: async () => undefined };
    };

    const readFactor = async (options: { verifiesUser: boolean }): Promise<SubmittedFactor | undefined> => {
      const account = await findOwnAccount(deps, principal);
      const requirement = { purpose: 'reauth', subject: sessionSubject(principal), ...options } as const;
      const secondFactor = await readSubmittedFactor(deps, input, account, requirement, caller);
      // Recovery codes are for owners who lost their second factor. The console accepts them at sign-in only.
      const isConsole = principal.session.kind === 'console';
      return secondFactor !== undefined && 'code' in secondFactor && isConsole
        ? { ...secondFactor, acceptsRecovery: false }
        : secondFactor;
    };

    /** A passkey that asked for a PIN or a fingerprint counts as two factors. */
    const proveByPasskey = async (): Promise<readonly Method[]> => {
      const secondFactor = await readFactor({ verifiesUser: true });
      const decide = (account: Account): ProofDecision => {
        if (secondFactor === undefined || !('passkey' in secondFactor))
          return { next: null, refuse: wrongCredentials() };
        const used = recordPasskeyUse(deps, account, secondFactor.passkey, caller);
        if (used.refuse !== null) return used;
        return { next: used.next === account ? null : used.next, answer: ['passkey'] };
      };
      return changeOwnAccount(deps, principal, decide, wrongCredentials);
    };

    const proveByFactors = async (): Promise<readonly Method[]> => {
      const { method, stillProves, redeem } = await proveFirstFactor();
      const secondFactor = user.hasTwoFactor ? await readFactor({ verifiesUser: false }) : undefined;
      const decide = async (current: Account): Promise<ProofDecision> => {
        if (!stillProves(current)) return { next: null, refuse: wrongCredentials() };
        const proof = await proveFactor(deps, current, secondFactor, caller);
        if (proof.refuse !== null) return proof;
        const next = proof.account === current ? null : proof.account;
        return { next, answer: [method, ...proof.methods] };
      };
      const methods = await changeOwnAccount(deps, principal, decide, wrongCredentials);
      // Last, so that a mistyped second factor does not need another provider flow.
      await redeem();
      return methods;
    };

    const isPasskeyAlone =
      input.passkey !== undefined && input.password === undefined && input.code === undefined;
    const passwordOrProvider: Method = input.code === undefined ? 'password' : 'oidc';
    const firstMethod = isPasskeyAlone ? 'passkey' : passwordOrProvider;

    const fields = { userId: user.id, ...calledFrom(caller) };
    const methods = await (isPasskeyAlone ? proveByPasskey() : proveByFactors())
      .catch(logRefusedFactor(deps, user.id, caller))
      .catch((error: unknown) => {
        if (error instanceof CoreError && error.kind === 'unauthenticated') {
          log.info('proof.failed', { factors: [firstMethod], ...fields });
        }
        throw error;
      });
    const { freshUntil, ...newCookie } = await noteProof(deps, principal, methods, caller);
    log.info('proof.succeeded', { factors: methods, ...fields });
    return { success: true, freshUntil: isoTime(freshUntil), ...newCookie };
  };
};
