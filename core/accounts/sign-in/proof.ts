import { type CoreError, invalid } from '../../errors.ts';
import type { Account } from '../account.ts';
import { held, invalidToken, wrongCredentials } from '../errors.ts';
import { hashedFor, knownAddress, passwordTriesKey } from '../guess-keys.ts';
import type { User } from '../identity.ts';
import type { Kit } from '../kit.ts';
import { type Caller, calledFrom } from '../needs.ts';
import { DAY } from '../policy.ts';
import type { Method } from '../session.ts';
import type { GivenFactor } from './given-factor.ts';
import { normalPassword } from './password.ts';
import type { CheckFactor } from './second-factor.ts';

/**
 * Asks a logged-in user for the password once more. Wrong ones count like those at login, and are held like those.
 * Throws `invalid` (`password_required`), `unauthenticated` (`wrong_credentials`), `throttled` (`login_held`).
 */
export const makeProvePassword = (kit: Kit) => {
  const { accounts, clock, digest, hasher, log, policy, tries } = kit;

  return async ({ id }: User, given: string | undefined, caller: Caller): Promise<void> => {
    if (given === undefined) throw invalid('password_required', 'The password is missing.');
    const password = normalPassword(given, policy.passwordLongest);
    const account = await accounts.find(id);
    if (account === undefined || account.deletedAt !== null) throw invalidToken();
    const known = knownAddress(digest, policy, account, caller.client, clock.now());
    const key = passwordTriesKey(digest, account.email, known);
    const counted = await tries.find(key, clock.now());
    const from = { userId: id, ...calledFrom(caller) };
    const refuseHeld = (firstAt: number) => {
      log.warn('password.held', from);
      return held('login_held', firstAt + DAY, clock.now());
    };
    if (counted !== undefined && counted.count >= policy.wrongPasswordsADay)
      throw refuseHeld(counted.firstAt);
    const options = { ...hashedFor(kit, account.email, account, caller), typed: given };
    if ((await hasher.verify(password, account.passwordHash, options)).right) return;
    log.info('password.wrong', from);
    const wrong = await tries.add(key, DAY, clock.now());
    throw wrong.count > policy.wrongPasswordsADay ? refuseHeld(wrong.firstAt) : wrongCredentials();
  };
};

/**
 * Asks for a second factor where the account has one: the account with the code spent and what it proves, or the
 * refusal. Throws `invalid` (`code_required`).
 */
export const proveFactor = async (
  check: CheckFactor,
  account: Account,
  given: GivenFactor | undefined,
  caller: Caller,
): Promise<{
  readonly account: Account;
  readonly refuse: CoreError | null;
  readonly methods: readonly Method[];
}> => {
  if (account.twoFactor === null) return { account, refuse: null, methods: [] };
  if (given === undefined) throw invalid('code_required', 'The two-factor code is missing.');
  const checked = await check(account, account.twoFactor, given, caller);
  const methods = checked.refuse === null ? [checked.method] : [];
  return { account: checked.next ?? account, refuse: checked.refuse, methods };
};

/** The code of a call that takes no passkey. */
export const codeIn = ({
  verificationCode: code,
}: {
  readonly verificationCode?: string;
}): GivenFactor | undefined => (code === undefined ? undefined : { code });
