import { token } from '../../answer-schemas.ts';
import { object, type TypeOf } from '../../schema.ts';
import type { Account } from '../account.ts';
import { type Caller, calledFrom } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { canonicalEmail, EMAIL } from '../email.ts';
import { wrongCredentials } from '../errors.ts';
import { findOwnAccount } from '../own-account.ts';
import { beginCeremony, sessionSubject } from '../passkeys/ceremony.ts';
import { noPasskey } from '../passkeys/errors.ts';
import { type PasskeyRequest, requestOptions, requireRelyingParty } from '../passkeys/request-options.ts';
import type { Principal } from '../principal.ts';
import { usablePasskeys } from '../sign-in-methods.ts';
import { allowanceKeyOf, type ChargeAllowance } from '../throttle-keys.ts';
import { readPendingSignIn } from './pending-sign-in.ts';
import { challengeSubject } from './submitted-factor.ts';

export const beginSecondPasskeyInput = object({
  email: EMAIL,
  pendingToken: token('From the answer `requires2FA`'),
});
export type BeginSecondPasskeyInput = TypeOf<typeof beginSecondPasskeyInput>;

/** Begins a challenge to the passkeys of an account whose first factor was proved. */
export const makeBeginSecondPasskey = (deps: Deps) => {
  const { accounts, clock, digest, domains, log } = deps;

  return async (
    input: BeginSecondPasskeyInput,
    caller: Caller,
    charge?: ChargeAllowance,
  ): Promise<PasskeyRequest> => {
    requireRelyingParty(deps);
    const email = canonicalEmail(domains, input.email);
    const account = await accounts.findByEmail(email);
    await charge?.(allowanceKeyOf(deps, email, account, caller));
    const pending = account && readPendingSignIn(digest, account, input.pendingToken, clock.now());
    if (account === undefined || pending === undefined) {
      log.info('sign_in.failed', { reason: 'wrong_credentials', ...calledFrom(caller) });
      throw wrongCredentials();
    }
    if (usablePasskeys(deps, account).length === 0) throw noPasskey();
    const { challenge, flow } = beginCeremony(deps, 'second', challengeSubject(account));
    return { options: requestOptions(deps, challenge, account, 'preferred'), flow };
  };
};

/**
 * Begins a challenge that authenticates the caller again, with user verification. Passkeys that are a second factor beside a
 * password need not ask for a PIN: for those it is required only if all of them have done it before.
 */
export const makeBeginPasskeyProof = (deps: Deps) => {
  const verification = (account: Account) => {
    const isBesidePassword = account.twoFactor !== null && account.passwordHash !== null;
    const doAllVerifyUser = usablePasskeys(deps, account).every(({ userVerified }) => userVerified);
    return isBesidePassword && !doAllVerifyUser ? 'preferred' : 'required';
  };

  return async (principal: Principal): Promise<PasskeyRequest> => {
    requireRelyingParty(deps);
    const account = await findOwnAccount(deps, principal);
    if (usablePasskeys(deps, account).length === 0) throw noPasskey();
    const { challenge, flow } = beginCeremony(deps, 'reauth', sessionSubject(principal));
    return { options: requestOptions(deps, challenge, account, verification(account)), flow };
  };
};
