import type { Account } from '../account.ts';
import { makeCeremonies, sessionOf } from '../ceremonies/ceremony.ts';
import { noPasskey } from '../ceremonies/errors.ts';
import { type AskedPasskey, requestOptions, siteOf } from '../ceremonies/options.ts';
import { canonicalEmail } from '../email.ts';
import { invalidToken, wrongCredentials } from '../errors.ts';
import { type Admit, allowanceKeyOf } from '../guess-keys.ts';
import type { Identity } from '../identity.ts';
import { usablePasskeys } from '../keys/sign-in-methods.ts';
import type { Kit } from '../kit.ts';
import { type Caller, calledFrom } from '../needs.ts';
import { readPendingLogin } from '../sessions/pending-login.ts';
import { challengedIn } from '../sign-in/given-factor.ts';

export interface BeginSecondPasskey {
  readonly email: string;
  /** From the answer `requires2FA`. */
  readonly pendingToken: string;
}

/** A challenge to the passkeys of an account whose first factor was proved. */
export const makeBeginSecondPasskey = (kit: Kit) => {
  const { accounts, clock, digest, domains, log } = kit;
  const ceremonies = makeCeremonies(kit);

  return async (input: BeginSecondPasskey, caller: Caller, admit?: Admit): Promise<AskedPasskey> => {
    siteOf(kit);
    const email = canonicalEmail(domains, input.email);
    const account = await accounts.findByEmail(email);
    await admit?.(allowanceKeyOf(kit, email, account, caller));
    const pending = account && readPendingLogin(digest, account, input.pendingToken, clock.now());
    if (account === undefined || pending === undefined) {
      log.info('sign_in.failed', { reason: 'wrong_credentials', ...calledFrom(caller) });
      throw wrongCredentials();
    }
    if (usablePasskeys(kit, account).length === 0) throw noPasskey();
    const { challenge, flow } = ceremonies.begin('second', challengedIn(account));
    return { options: requestOptions(kit, challenge, account, 'preferred'), flow };
  };
};

/**
 * A challenge by which the caller proves once more who they are. Beside a password a passkey need not ask for a PIN, so it
 * is not demanded of one that may not be able to.
 */
export const makeBeginPasskeyProof = (kit: Kit) => {
  const { accounts } = kit;
  const ceremonies = makeCeremonies(kit);

  const verification = (account: Account) => {
    const mayServeBeside = account.twoFactor !== null && account.passwordHash !== null;
    const all = usablePasskeys(kit, account).every(({ userVerified }) => userVerified);
    return mayServeBeside && !all ? 'preferred' : 'required';
  };

  return async (who: Identity): Promise<AskedPasskey> => {
    siteOf(kit);
    const account = await accounts.find(who.user.id);
    if (account === undefined || account.deletedAt !== null) throw invalidToken();
    if (usablePasskeys(kit, account).length === 0) throw noPasskey();
    const { challenge, flow } = ceremonies.begin('reauth', sessionOf(who));
    return { options: requestOptions(kit, challenge, account, verification(account)), flow };
  };
};
