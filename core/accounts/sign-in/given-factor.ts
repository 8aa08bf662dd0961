import { invalid } from '../../errors.ts';
import type { Account } from '../account.ts';
import type { CeremonyOf } from '../ceremonies/ceremony.ts';
import {
  type AssertedPasskey,
  makeCheckAssertion,
  type PasskeyAnswer,
} from '../ceremonies/check-assertion.ts';
import type { Kit } from '../kit.ts';
import type { Caller } from '../needs.ts';

/** A second factor; either is needed where one is on. */
export interface SecondProof {
  /** A TOTP or recovery code. */
  readonly verificationCode?: string;
  /** The answer of a passkey, in place of the code. */
  readonly passkey?: PasskeyAnswer;
}

/** A second factor as it is checked against the account: a code, or a passkey whose signature was right. */
export type GivenFactor = { readonly code: string } | { readonly passkey: AssertedPasskey };

export const isFactorGiven = ({ verificationCode, passkey }: SecondProof): boolean =>
  verificationCode !== undefined || passkey !== undefined;

/**
 * Takes the second factor of a call. A passkey's signature is checked and its challenge spent here, once, and not anew
 * when the account is written at the second try. Undefined where none is given. Throws `invalid` (`one_factor_only`)
 * and `unauthenticated` (`invalid_passkey`).
 */
export const makeTakeFactor = (kit: Kit) => {
  const checkAssertion = makeCheckAssertion(kit);

  return async (
    { verificationCode, passkey }: SecondProof,
    account: Account,
    due: { readonly purpose: 'second' | 'reauth'; readonly of: CeremonyOf; readonly verified: boolean },
    caller: Caller,
  ): Promise<GivenFactor | undefined> => {
    if (passkey === undefined) return verificationCode === undefined ? undefined : { code: verificationCode };
    if (verificationCode !== undefined)
      throw invalid('one_factor_only', 'Send a code or a passkey, not both.');
    return { passkey: await checkAssertion(passkey, { ...due, owner: async () => account }, caller) };
  };
};

/** Whose challenge it is that a second factor at a login answers. */
export const challengedIn = ({ id, sessionEpoch }: Account): CeremonyOf => ({
  userId: id,
  epoch: sessionEpoch,
  sessionId: null,
});
