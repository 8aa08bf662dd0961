import { invalid } from '../../errors.ts';
import type { Account } from '../account.ts';
import type { Caller } from '../base-deps.ts';
import type { Deps } from '../deps.ts';
import type { CeremonySubject } from '../passkeys/ceremony.ts';
import {
  makeCheckAssertion,
  type PasskeyAssertion,
  type VerifiedAssertion,
} from '../passkeys/check-assertion.ts';

/** A second factor; one of the two is required where two-factor authentication is on. */
export interface SecondFactorInput {
  /** A TOTP or recovery code. */
  readonly verificationCode?: string;
  /** The assertion of a passkey, in place of the code. */
  readonly passkey?: PasskeyAssertion;
}

/** A second factor to check against the account: a code, or a passkey whose signature was valid. */
export type SubmittedFactor =
  | {
      readonly code: string;
      /** Whether a recovery code is accepted; true where absent. */
      readonly acceptsRecovery?: boolean;
    }
  | { readonly passkey: VerifiedAssertion };

export const isFactorSubmitted = ({ verificationCode, passkey }: SecondFactorInput): boolean =>
  verificationCode !== undefined || passkey !== undefined;

/**
 * Reads the second factor of a call; undefined if there is none. A passkey's signature is checked and its challenge spent
 * here, once, and not again when a second attempt writes the account. Throws `invalid` (`one_factor_only`) and
 * `unauthenticated` (`invalid_passkey`).
 */
export const makeReadSubmittedFactor = (deps: Deps) => {
  const checkAssertion = makeCheckAssertion(deps);

  return async (
    { verificationCode, passkey }: SecondFactorInput,
    account: Account,
    requirement: {
      readonly purpose: 'second' | 'reauth';
      readonly of: CeremonySubject;
      readonly verified: boolean;
    },
    caller: Caller,
  ): Promise<SubmittedFactor | undefined> => {
    if (passkey === undefined) return verificationCode === undefined ? undefined : { code: verificationCode };
    if (verificationCode !== undefined)
      throw invalid('one_factor_only', 'Send a code or a passkey, not both.');
    return { passkey: await checkAssertion(passkey, { ...requirement, owner: async () => account }, caller) };
  };
};

/** The subject of the challenge that a second factor answers at sign-in. */
export const challengeSubject = ({ id, sessionEpoch }: Account): CeremonySubject => ({
  userId: id,
  epoch: sessionEpoch,
  sessionId: null,
});
