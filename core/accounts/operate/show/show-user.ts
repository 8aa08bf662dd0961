import type { Account } from '../../account.ts';
import { SERVICE } from '../../entitlement.ts';
import { entitlementOf } from '../../entitlements/entitle.ts';
import { codeTriesKey, networkCodeTriesOf, passwordTriesKeys } from '../../guess-keys.ts';
import { type SignInMethod, signInMethods } from '../../keys/sign-in-methods.ts';
import type { Kit } from '../../kit.ts';
import { isLive } from '../../session.ts';
import { type SecondFactor, secondFactors } from '../../sessions/pending-login.ts';
import { factorHeldUntil } from '../../sign-in/second-factor.ts';
import { makeFindUser } from '../act.ts';
import { describeUser, type UserView } from './describe-user.ts';
import { type AccessWhy, accessWhy } from './why.ts';

export interface ShownUser extends UserView {
  /** How the user may sign in, and what second factor is taken. */
  readonly signInMethods: readonly SignInMethod[];
  readonly secondFactors: readonly SecondFactor[];
  readonly sessions: number;
  readonly files: { readonly count: number };
  readonly why: AccessWhy;
  /** Wrong tries within a day, and what is held because of them. */
  readonly wrongPasswords: number;
  readonly wrongCodes: number;
  readonly held: readonly ('password' | 'verification' | 'two-factor')[];
}

export const makeShowUser = (kit: Kit) => {
  const { clock, digest, policy, sessions, tries, userFiles } = kit;
  const findUser = makeFindUser(kit);

  const mostOf = async (keys: readonly string[], now: number): Promise<number> => {
    const found = await Promise.all(keys.map((key) => tries.find(key, now)));
    return Math.max(0, ...found.map((one) => one?.count ?? 0));
  };

  const heldOf = async (account: Account, wrongPasswords: number, wrongCodes: number, now: number) => {
    const factor = account.twoFactor;
    const ofNetwork = await tries.most(networkCodeTriesOf(digest, account.email), now);
    const verification = wrongCodes >= policy.wrongCodesADay || ofNetwork >= policy.networkWrongCodesADay;
    return [
      ...(wrongPasswords >= policy.wrongPasswordsADay ? ['password' as const] : []),
      ...(verification ? ['verification' as const] : []),
      ...(factor !== null && factorHeldUntil(factor, policy, now) !== undefined
        ? ['two-factor' as const]
        : []),
    ];
  };

  return async (user: string): Promise<ShownUser> => {
    const account = await findUser(user);
    const now = clock.now();
    const [all, files, wrongPasswords, wrongCodes] = await Promise.all([
      sessions.list(account.id),
      userFiles.count(account.id),
      mostOf(passwordTriesKeys(digest, account), now),
      mostOf([codeTriesKey(digest, account.email, account.id)], now),
    ]);
    return {
      ...describeUser(account, policy.selfEntitlement, now),
      signInMethods: signInMethods(kit, account),
      secondFactors: secondFactors(kit, account),
      sessions: all.filter((session) => isLive(session, account, now)).length,
      files: { count: files },
      why: accessWhy(entitlementOf(account, SERVICE), policy.selfEntitlement),
      wrongPasswords,
      wrongCodes,
      held: await heldOf(account, wrongPasswords, wrongCodes, now),
    };
  };
};
