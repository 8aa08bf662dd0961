import { TIME } from '../../answer-schemas.ts';
import { isoTime, isoTimeOrNull, timeOrNull } from '../../iso-times.ts';
import { list, nullable, object, oneOf, optional, size, type TypeOf, text } from '../../schema.ts';
import type { Account } from '../account.ts';
import type { Deps } from '../deps.ts';
import { accessSource, type Entitlement, IS_PREMIUM, SERVICE, TIER } from '../entitlement.ts';
import { entitlementOf } from '../entitlements/change-entitlements.ts';
import { factorLockedUntil } from '../second-factor/check-second-factor.ts';
import { liveSessions } from '../sessions/parent-session.ts';
import { SECOND_FACTORS, SIGN_IN_METHODS, secondFactors, signInMethods } from '../sign-in-methods.ts';
import {
  codeAttemptsKey,
  emailsWithCodes,
  networkCodeAttemptsOf,
  passwordAttemptsKeys,
} from '../throttle-keys.ts';
import { findEmails, findUser } from './find-user.ts';
import { describeUser, userMembers } from './user-view.ts';

const sourceView = nullable(
  object({ tier: TIER, isPremium: IS_PREMIUM, at: TIME }, { title: 'AccessSource' }),
);
/** Access by one source; `at` is ISO 8601. */
export type SourceView = NonNullable<TypeOf<typeof sourceView>>;

const accessWhy = object(
  {
    effective: oneOf(['grant', 'billing', 'claim', 'free'], {
      description: 'Where the tier in effect comes from',
      examples: ['grant'],
    }),
    grant: nullable(
      object(
        {
          fields: object(
            { tier: optional(TIER), isPremium: optional(IS_PREMIUM) },
            { title: 'GrantedFields', description: 'Those that the operator named' },
          ),
          by: nullable(
            text({
              description:
                'A user id, or `operator:cli` or `internal`; null where an earlier version wrote it',
              examples: ['0199a0b1-0000-7000-8000-2f1b9c3d4e5f'],
            }),
          ),
          byEmail: nullable(
            text({ description: 'The email of that user; null without one', examples: ['eve@example.com'] }),
          ),
          at: timeOrNull('', '2026-11-21T18:00:00.000Z'),
          reason: nullable(text({ description: '', examples: ['a friend of the house'] })),
        },
        { title: 'Grant' },
      ),
    ),
    billing: sourceView,
    claim: sourceView,
  },
  { title: 'Why' },
);
/**
 * The sources of a user's access. `effective`: the source of the tier in effect. `grant`: of operators and the internal
 * secret, with only the fields that they set; `by` and `at` are null in grants of earlier versions, `reason` also if none
 * was given. `claim`: the user's own, whether it counts or not.
 */
export type AccessWhy = TypeOf<typeof accessWhy>;

const viewSource = (source: Entitlement['billing']): SourceView | null =>
  source && { tier: source.tier, isPremium: source.isPremium, at: isoTime(source.at) };

const explainAccess = async (deps: Deps, entitlement: Entitlement | undefined): Promise<AccessWhy> => {
  if (entitlement === undefined) return { effective: 'free', grant: null, billing: null, claim: null };
  const { billing, claim } = entitlement;
  const { by = null, at = null, reason = null, ...fields } = entitlement.grant ?? {};
  const emails = await findEmails(deps, [by]);
  const byEmail = by === null ? null : (emails[by] ?? null);
  const grant = { fields, by, byEmail, at: isoTimeOrNull(at), reason };
  return {
    effective: accessSource(entitlement, deps.policy.selfEntitlement),
    grant: entitlement.grant && grant,
    billing: viewSource(billing),
    claim: viewSource(claim),
  };
};

const attemptCount = () => size({ examples: [0], description: 'Within a day' });

export const shownUser = object(
  {
    ...userMembers,
    signInMethods: list(oneOf(SIGN_IN_METHODS)),
    secondFactors: list(oneOf(SECOND_FACTORS)),
    sessions: size({ examples: [2] }),
    files: object({ count: size({ examples: [2] }) }, { title: 'FilesOfUser' }),
    why: accessWhy,
    wrongPasswords: attemptCount(),
    wrongCodes: attemptCount(),
    held: list(oneOf(['password', 'verification', 'two-factor']), {
      description: 'Lockouts after wrong attempts',
    }),
  },
  { title: 'User' },
);
/**
 * A user with their sign-in methods, accepted second factors, the number of live sessions, the wrong attempts within a
 * day, and the methods that are locked out because of them. `wrongPasswords` is the highest of several counts: each known
 * address has its own. `wrongCodes` is the higher of two counts, of the old and the new email, for a day after a requested
 * change of the email.
 */
export type ShownUser = TypeOf<typeof shownUser>;

export const makeShowUser = (deps: Deps) => {
  const { clock, digest, policy, sessions, attempts, userFiles } = deps;

  const highestCount = async (keys: readonly string[], now: number): Promise<number> => {
    const counters = await Promise.all(keys.map((key) => attempts.find(key, now)));
    return Math.max(0, ...counters.map((counter) => counter?.count ?? 0));
  };

  const locksOf = async (account: Account, wrongPasswords: number, wrongCodes: number, now: number) => {
    const factor = account.twoFactor;
    const networkAttempts = await Promise.all(
      emailsWithCodes(account, now).map((email) => attempts.most(networkCodeAttemptsOf(digest, email), now)),
    );
    const areCodesLocked =
      wrongCodes >= policy.wrongCodesADay || Math.max(...networkAttempts) >= policy.networkWrongCodesADay;
    return [
      ...(wrongPasswords >= policy.wrongPasswordsADay ? ['password' as const] : []),
      ...(areCodesLocked ? ['verification' as const] : []),
      ...(factor !== null && factorLockedUntil(factor, policy, now) !== undefined
        ? ['two-factor' as const]
        : []),
    ];
  };

  return async (user: string): Promise<ShownUser> => {
    const account = await findUser(deps, user);
    const now = clock.now();
    const [allSessions, fileCount, why, wrongPasswords, wrongCodes] = await Promise.all([
      sessions.list(account.id),
      userFiles.count(account.id),
      explainAccess(deps, entitlementOf(account, SERVICE)),
      highestCount(passwordAttemptsKeys(digest, account), now),
      highestCount(
        emailsWithCodes(account, now).map((email) => codeAttemptsKey(digest, email, account.id)),
        now,
      ),
    ]);
    return {
      ...describeUser(account, policy.selfEntitlement, now),
      signInMethods: signInMethods(deps, account),
      secondFactors: secondFactors(deps, account),
      sessions: liveSessions(allSessions, account, now).length,
      files: { count: fileCount },
      why,
      wrongPasswords,
      wrongCodes,
      held: await locksOf(account, wrongPasswords, wrongCodes, now),
    };
  };
};
