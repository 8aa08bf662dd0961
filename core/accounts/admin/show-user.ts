import type { Account } from '../account.ts';
import type { Deps } from '../deps.ts';
import {
  type Access,
  accessSource,
  type Entitlement,
  SERVICE,
  type SelfEntitlement,
} from '../entitlement.ts';
import { entitlementOf } from '../entitlements/set-entitlement.ts';
import { factorLockedUntil } from '../second-factor/check-second-factor.ts';
import { type SecondFactor, secondFactors } from '../sessions/challenge.ts';
import { liveSessions } from '../sessions/parent-session.ts';
import { type SignInMethod, signInMethods } from '../sign-in-methods.ts';
import { codeAttemptsKey, networkCodeAttemptsOf, passwordAttemptsKeys } from '../throttle-keys.ts';
import { makeFindUser } from './admin-action.ts';
import { describeUser, type UserView } from './describe-user.ts';

/** Access by one source; `at` is ISO 8601. */
export interface SourceView extends Access {
  readonly at: string;
}

/** The sources of a user's access. */
export interface AccessWhy {
  /** The source of the tier in effect. */
  readonly effective: 'grant' | 'billing' | 'claim' | 'free';
  /** The grant of operators; `by`, `at` and `reason` are null in grants of earlier versions. */
  readonly grant: {
    /** Only the fields that the operator set. */
    readonly fields: Partial<Access>;
    readonly by: string | null;
    readonly at: string | null;
    readonly reason: string | null;
  } | null;
  readonly billing: SourceView | null;
  /** The user's own claim, whether it counts or not. */
  readonly claim: SourceView | null;
}

const NOTHING: AccessWhy = { effective: 'free', grant: null, billing: null, claim: null };

const iso = (time: number) => new Date(time).toISOString();

const sourceView = (source: Entitlement['billing']): SourceView | null =>
  source && { tier: source.tier, isPremium: source.isPremium, at: iso(source.at) };

const accessWhy = (entitlement: Entitlement | undefined, self: SelfEntitlement): AccessWhy => {
  if (entitlement === undefined) return NOTHING;
  const { billing, claim } = entitlement;
  const { by = null, at, reason = null, ...fields } = entitlement.grant ?? {};
  const grant = { fields, by, at: at === undefined ? null : iso(at), reason };
  return {
    effective: accessSource(entitlement, self),
    grant: entitlement.grant && grant,
    billing: sourceView(billing),
    claim: sourceView(claim),
  };
};

export interface ShownUser extends UserView {
  /** The user's sign-in methods and accepted second factors. */
  readonly signInMethods: readonly SignInMethod[];
  readonly secondFactors: readonly SecondFactor[];
  readonly sessions: number;
  readonly files: { readonly count: number };
  readonly why: AccessWhy;
  /** Wrong attempts within a day, and the methods that are locked out because of them. */
  readonly wrongPasswords: number;
  readonly wrongCodes: number;
  readonly held: readonly ('password' | 'verification' | 'two-factor')[];
}

export const makeShowUser = (deps: Deps) => {
  const { clock, digest, policy, sessions, tries, userFiles } = deps;
  const findUser = makeFindUser(deps);

  const highestCount = async (keys: readonly string[], now: number): Promise<number> => {
    const counters = await Promise.all(keys.map((key) => tries.find(key, now)));
    return Math.max(0, ...counters.map((counter) => counter?.count ?? 0));
  };

  const locksOf = async (account: Account, wrongPasswords: number, wrongCodes: number, now: number) => {
    const factor = account.twoFactor;
    const networkAttempts = await tries.most(networkCodeAttemptsOf(digest, account.email), now);
    const verification =
      wrongCodes >= policy.wrongCodesADay || networkAttempts >= policy.networkWrongCodesADay;
    return [
      ...(wrongPasswords >= policy.wrongPasswordsADay ? ['password' as const] : []),
      ...(verification ? ['verification' as const] : []),
      ...(factor !== null && factorLockedUntil(factor, policy, now) !== undefined
        ? ['two-factor' as const]
        : []),
    ];
  };

  return async (user: string): Promise<ShownUser> => {
    const account = await findUser(user);
    const now = clock.now();
    const [allSessions, files, wrongPasswords, wrongCodes] = await Promise.all([
      sessions.list(account.id),
      userFiles.count(account.id),
      highestCount(passwordAttemptsKeys(digest, account), now),
      highestCount([codeAttemptsKey(digest, account.email, account.id)], now),
    ]);
    return {
      ...describeUser(account, policy.selfEntitlement, now),
      signInMethods: signInMethods(deps, account),
      secondFactors: secondFactors(deps, account),
      sessions: liveSessions(allSessions, account, now).length,
      files: { count: files },
      why: accessWhy(entitlementOf(account, SERVICE), policy.selfEntitlement),
      wrongPasswords,
      wrongCodes,
      held: await locksOf(account, wrongPasswords, wrongCodes, now),
    };
  };
};
