import { CoreError, unavailable } from '../errors.ts';
import { isId } from '../ids.ts';
import { isoTime } from '../iso-times.ts';
import { itemsOf } from '../pagination.ts';
import { type Account, isBanned, isDisabled, restrictionOf } from './account.ts';
import type { Refusal, Retry } from './change-account.ts';
import type { Deps } from './deps.ts';
import { directoryPages } from './directory.ts';
import { type OperatorRole, operatorRole } from './entitlement.ts';
import { type MailEntry, withPending } from './outbox-entries.ts';
import type { AccountsPolicy } from './policy.ts';
import type { User } from './principal.ts';

/**
 * The authority of a caller over entitlements. `own` marks a change of the caller's own entitlement, which the kind `self` always
 * is: flags that make somebody an operator then stay as they are if the change omits them.
 */
export type Authority =
  /** A user who changes their own entitlement. */
  | { readonly kind: 'self' }
  /** The internal secret, or the command line. */
  | { readonly kind: 'internal'; readonly own?: boolean }
  | { readonly kind: 'operator'; readonly role: OperatorRole; readonly own?: boolean };

const lacksSecondFactor = (user: User, policy: AccountsPolicy): boolean =>
  policy.operatorsNeedSecondFactor && !user.hasTwoFactor;

/** The reason why somebody may not act as an operator, apart from their second factor; undefined if they may. */
const roleRefusal = (user: Pick<Account, 'banned' | 'disabled' | 'entitlements'>, now: number) =>
  restrictionOf(user, now) ?? (operatorRole(user.entitlements) === undefined ? 'operators_only' : undefined);

/** The reason why a user may not act as an operator by an access token; undefined if they may. */
export const operatorRefusal = (user: User, policy: AccountsPolicy, now: number) =>
  roleRefusal(user, now) ?? (lacksSecondFactor(user, policy) ? 'second_factor_required' : undefined);

/** The authority of a signed-in caller. Operators who lack a required second factor have that of ordinary users. */
export const authorityOf = (user: User, policy: AccountsPolicy): Authority => {
  const role = lacksSecondFactor(user, policy) ? undefined : operatorRole(user.entitlements);
  return role === undefined ? { kind: 'self' } : { kind: 'operator', role };
};

/** The reason why an account may not enter the console, which needs a second factor under any policy; undefined if it may. */
export const consoleRefusal = (account: Account, now: number) =>
  roleRefusal(account, now) ?? (account.twoFactor === null ? 'two_factor_required' : undefined);

export const mayChangeOperators = (authority: Authority): boolean =>
  authority.kind === 'internal' || (authority.kind === 'operator' && authority.role === 'founder');

export const ownAccount = () =>
  new CoreError('conflict', 'own_account', 'Operators may not do this to their own account.');

const lastFounder = () =>
  new CoreError(
    'conflict',
    'last_founder',
    'No other founder can enter the console: appoint another founder with a second factor first.',
  );

/** Whether the account belongs to a founder who is neither banned nor disabled. */
export const isFounder = (account: Account, now: number): boolean =>
  account.deletedAt === null &&
  operatorRole(account.entitlements) === 'founder' &&
  !isBanned(account, now) &&
  !isDisabled(account, now);

const isConsoleFounder = (account: Account, now: number): boolean =>
  isFounder(account, now) && account.verified && consoleRefusal(account, now) === undefined;

/** Whether an account is a founder, or a founder who can enter the console, before a change and no longer after it. */
const removesFounder = (before: Account, after: Account, now: number): boolean =>
  [isFounder, isConsoleFounder].some((counts) => counts(before, now) && !counts(after, now));

const OPERATORS_PAGE = 50;

/** Every operator, the newest first. Operators are few. */
const listOperators = ({ directory }: Pick<Deps, 'directory'>): AsyncGenerator<Account> =>
  itemsOf(directoryPages(directory, { operator: true }, OPERATORS_PAGE));

/** Judges an intended write. Returns the decision to take instead of it, or undefined. */
export type JudgeChange = (before: Account, after: Account) => Promise<Refusal | Retry | undefined>;

const FOUNDER_ATTEMPTS = 50;
const LONGEST_WAIT_MS = 32;

/**
 * Runs a change by an account under the rule that at least one founder who can enter the console remains, even under
 * concurrent changes. Before a founder is removed, the account of another founder is saved unchanged, at its next version.
 * A concurrent change that removes this other founder has read the former version, so its write fails. The rule does not
 * apply to actors without an account: they can appoint founders again. See decision 0100.
 */
export const makeGuardFounders = (
  deps: Pick<Deps, 'accounts' | 'clock' | 'directory' | 'foundersInTurn' | 'random'>,
) => {
  const { accounts, clock, foundersInTurn, random } = deps;

  const rewriteFounder = async (id: string, now: number): Promise<boolean> => {
    for (let attempt = 0; attempt < FOUNDER_ATTEMPTS; attempt += 1) {
      const account = await accounts.find(id);
      if (account === undefined || !isConsoleFounder(account, now)) return false;
      if (await accounts.save(account)) return true;
    }
    throw unavailable('contended', 'Too many changes of this account at once; try again.', 1);
  };

  const keepsAnotherFounder = async (leaving: Account, actor: string, now: number): Promise<boolean> => {
    // Usually the actor is a founder who remains, and the operators need not be listed.
    if (actor !== leaving.id && (await rewriteFounder(actor, now))) return true;
    for await (const operator of listOperators(deps)) {
      if (operator.id === leaving.id || !isConsoleFounder(operator, now)) continue;
      if (await rewriteFounder(operator.id, now)) return true;
    }
    return false;
  };

  /** A random time: two changes that wait equally long would be in each other's way again. */
  const retry = (): Retry => {
    const [byte = 0] = random.bytes(1);
    return { retryAfterMs: byte % LONGEST_WAIT_MS };
  };

  const makeJudge = (actor: string): JudgeChange => {
    /** How often the change was judged since it last waited. */
    let judgements = 0;
    return async (before, after) => {
      judgements += 1;
      const now = clock.now();
      if (!isId(actor) || !removesFounder(before, after, now)) return undefined;
      // A second judgement means that another write of this account came in between. Perhaps two founders remove each other: each
      // change then rewrites the account that the other removes. One of the two must wait.
      if (judgements > 1) {
        judgements = 0;
        return retry();
      }
      return (await keepsAnotherFounder(before, actor, now))
        ? undefined
        : { next: null, refuse: lastFounder() };
    };
  };

  return <T>(
    isTargetFounder: boolean,
    actor: string,
    change: (keepFounder: JudgeChange) => Promise<T>,
  ): Promise<T> => {
    const changeGuarded = () => change(makeJudge(actor));
    // Changes that could block each other queue up within this process.
    return isTargetFounder ? foundersInTurn('founders', changeGuarded) : changeGuarded();
  };
};

/** The author of a change. */
export interface ActorFacts {
  /** A user id, or another name in the audit log. */
  readonly actor: string;
  /** Who acted as `actor` at the command line. */
  readonly person?: string;
  /** The client address of an operator. */
  readonly address?: string;
}

/**
 * Adds mails to a change that appoints or dismisses an operator, changes an operator's role, or deletes or restores an
 * operator: to the operator, unless the account is deleted, and to every other founder. The write of the change includes
 * them.
 */
export const makeAddOperatorMails = (deps: Pick<Deps, 'accounts' | 'clock' | 'directory' | 'entries'>) => {
  const { accounts, clock, entries } = deps;

  const emailOf = async (actor: string, operator: Account): Promise<string | undefined> => {
    if (actor === operator.id) return operator.email;
    return isId(actor) ? (await accounts.find(actor))?.email : undefined;
  };

  const nameOf = async ({ actor, person }: ActorFacts, operator: Account): Promise<string> => {
    const name = (await emailOf(actor, operator)) ?? actor;
    return person === undefined ? name : `${name} (${person})`;
  };

  return async (before: Account, after: Account, by: ActorFacts): Promise<Account> => {
    // An empty role: no operator.
    const formerRole = operatorRole(before.entitlements) ?? '';
    const role = operatorRole(after.entitlements) ?? '';
    if (formerRole === role) return after;
    // A tombstone has no email.
    const operator = before.deletedAt === null ? before : after;
    const now = clock.now();
    const at = isoTime(now);
    const mails: MailEntry[] = [];
    if (after.deletedAt === null) {
      const template = role === '' ? 'operator-dismissed' : 'operator-appointed';
      mails.push(entries.mail(after, template, { at, role }));
    }
    const facts = {
      at,
      operator: operator.email,
      formerRole,
      role,
      actor: await nameOf(by, operator),
      ...(by.address !== undefined && { address: by.address }),
    };
    for await (const founder of listOperators(deps)) {
      if (founder.id === before.id || !isFounder(founder, now)) continue;
      // `userId`: the mail belongs to the founder, but the operator's account sends it.
      mails.push({ ...entries.mail(founder, 'operators-changed', facts), userId: founder.id });
    }
    return withPending(after, ...mails);
  };
};
