import { invalid } from '../../errors.ts';
import { type ObjectOf, optional, text } from '../../schema.ts';
import type { Account } from '../account.ts';
import type { Caller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import type { CeremonySubject } from '../passkeys/ceremony.ts';
import { checkAssertion, passkeyAssertion, type VerifiedAssertion } from '../passkeys/check-assertion.ts';

export const VERIFICATION_CODE = text({
  minLength: 1,
  maxLength: 64,
  description: 'A code of the authenticator app, or a recovery code',
  examples: ['287082'],
});

export const SECOND_FACTOR = {
  verificationCode: optional(VERIFICATION_CODE),
  passkey: optional(passkeyAssertion),
};
/** A code, or the assertion of a passkey: one of them is required where two-factor authentication is on. */
export type SecondFactorInput = ObjectOf<typeof SECOND_FACTOR>;

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
export const readSubmittedFactor = async (
  deps: Deps,
  { verificationCode, passkey }: SecondFactorInput,
  account: Account,
  requirement: {
    readonly purpose: 'second' | 'reauth';
    readonly subject: CeremonySubject;
    readonly verifiesUser: boolean;
  },
  caller: Caller,
): Promise<SubmittedFactor | undefined> => {
  if (passkey === undefined) return verificationCode === undefined ? undefined : { code: verificationCode };
  if (verificationCode !== undefined) throw invalid('one_factor_only', 'Send a code or a passkey, not both.');
  return {
    passkey: await checkAssertion(deps, passkey, { ...requirement, findOwner: async () => account }, caller),
  };
};

/** The subject of the challenge that a passkey answers as the second factor at sign-in. */
export const challengeSubject = ({ id, sessionEpoch }: Account): CeremonySubject => ({
  userId: id,
  epoch: sessionEpoch,
  sessionId: null,
});
