import { type CallRows, makeCalls } from '../../check-arguments.ts';
import type { ErrorCode } from '../../error-codes.ts';
import { oneOf, type Schema, TEXT, text } from '../../schema.ts';
import type { Deps } from '../deps.ts';
import { OPERATOR_ROLES, type OperatorRole } from '../entitlement.ts';
import { identityName } from '../providers/link-identity.ts';
import {
  type AdminActionInput,
  type AdminActionResult,
  type AdminActionRules,
  type Operator,
  operatorInput,
  reasoningOperatorInput,
} from './admin-action.ts';
import { removePasskey, resetTwoFactor, unlinkIdentity } from './remove-credentials.ts';
import {
  defineRelease,
  makeRestrict,
  readRestriction,
  restrictBody,
  restrictInput,
} from './restrict-user.ts';
import { makeResendCode, makeSendReset } from './send-codes.ts';
import { setEmail, takeEmailAsVerified } from './set-email.ts';
import {
  appoint,
  appointBody,
  clearTier,
  dismiss,
  readTier,
  setTier,
  setTierBody,
  setTierInput,
} from './tier-and-role.ts';
import { makeUnlock } from './unlock-user.ts';
import { endUserSession, endUserSessions } from './user-sessions.ts';

/** How the console asks for an action: its route, and its refusals beside those of every action. */
interface ConsoleForm<Body extends AdminActionInput = AdminActionInput> {
  /** `POST` if absent. */
  readonly method?: 'PUT' | 'DELETE';
  /** Follows the path of the user. */
  readonly path: string;
  readonly summary: string;
  /** The parameters of the path beside the user's id. */
  readonly params?: Readonly<Record<string, Schema<string>>>;
  /** If absent, the body has only the members of every action: `reason` and `seen`. */
  readonly body?: Schema<Body>;
  readonly example?: Body;
  /** The input of the call. */
  inputOf?(body: Body, params: Readonly<Record<string, string>>): unknown;
  /** Error codes of wrong members of the body. */
  readonly invalid?: readonly ErrorCode[];
  /** The 404, unless it is about the user alone. */
  readonly missing?: { readonly description: string; readonly errors: readonly ErrorCode[] };
  /** Codes of conflicts, beside those of the rules. */
  readonly conflicts?: readonly ErrorCode[];
  /** Codes of too many mails to an address. */
  readonly throttled?: readonly ErrorCode[];
}

/** How the command line asks for an action: a verb of a noun, and a sentence about the result. */
interface CommandForm {
  readonly noun: 'users' | 'operator';
  /** With its arguments. */
  readonly verb: string;
  readonly about: string;
  /** The input of the call, from the arguments behind the user. */
  readonly inputOf?: (...texts: readonly string[]) => unknown;
  readonly outcome: (result: AdminActionResult, ...texts: readonly string[]) => string;
}

/** Each action has its own type of `input`, hence `never`; it is undefined for an action without input. */
type RunAction = (user: string, by: Operator, input: never) => Promise<AdminActionResult>;

/** An action of an operator on one user. The embedded call, the route and the command are made from it. */
interface UserAction extends AdminActionRules {
  /** The least role that may do it at the console; `dev` if absent. */
  readonly role?: OperatorRole;
  /** Whether it requires a reason also in an embedded call and at the command line; the console always does. */
  readonly needsReason?: true;
  /** The argument between the user and the operator, by its name. */
  readonly input?: Readonly<Record<string, Schema>>;
  readonly make: (deps: Deps, rules: AdminActionRules) => RunAction;
  /** Absent if the console has no such route. */
  readonly console?: ConsoleForm;
  /** Absent if the command line has no such verb, or one with options of its own. */
  readonly command?: CommandForm;
}

/** Checks a form against the type of its own body, and then forgets that type, so that the table holds all forms. */
const withBody = <Body extends AdminActionInput>(form: ConsoleForm<Body>): ConsoleForm => form;

const restrictionForm = (path: string, summary: string) =>
  withBody({
    path,
    summary,
    body: restrictBody,
    example: { reason: 'Sends spam', until: null },
    inputOf: readRestriction,
    invalid: ['invalid_until'],
  });

/** A verb of `users` that takes the user alone. Without `unchanged` the action always changes the user. */
const userVerb = (name: string, about: string, changed: string, unchanged = ''): CommandForm => ({
  noun: 'users',
  verb: `${name} <user>`,
  about,
  outcome: (result) => `${result.email} ${result.changed ? changed : unchanged}.`,
});

const SESSION_ID = text({
  maxLength: 64,
  description: 'From the list of sessions',
  examples: ['0199a0b1-77aa-7c01-8e55-2f1b9c3d4e5f'],
});

/**
 * Every action of an operator on one user, under the name of its call. `allowsSelf: false` protects founders as well,
 * unless the row says otherwise.
 */
const userActions = {
  setTier: {
    action: 'entitlement.changed',
    input: { input: setTierInput },
    make: setTier,
    console: withBody({
      path: 'tier',
      summary: 'Grant a tier, and limits',
      body: setTierBody,
      example: { reason: 'A friend of the house', tier: 'pro', storage: null },
      inputOf: readTier,
      invalid: ['unknown_tier', 'invalid_limit'],
    }),
  },
  clearTier: {
    action: 'entitlement.changed',
    make: clearTier,
    console: { method: 'DELETE', path: 'tier', summary: 'End a granted tier, so that billing decides again' },
  },
  ban: {
    action: 'user.banned',
    allowsSelf: false,
    input: { restriction: restrictInput },
    make: makeRestrict('banned'),
    console: restrictionForm('ban', 'Ban a user at once, for good or until a time'),
  },
  unban: {
    action: 'user.unbanned',
    protectsFounders: true,
    make: defineRelease('banned'),
    console: { path: 'unban', summary: 'End a ban' },
    command: userVerb('unban', 'end a ban', 'is no longer banned', 'was not banned'),
  },
  disable: {
    action: 'user.disabled',
    allowsSelf: false,
    input: { restriction: restrictInput },
    make: makeRestrict('disabled'),
    console: restrictionForm('disable', 'Disable a user at once, for good or until a time'),
  },
  enable: {
    action: 'user.enabled',
    protectsFounders: true,
    make: defineRelease('disabled'),
    console: { path: 'enable', summary: 'End a disablement' },
    command: userVerb('enable', 'enable a disabled user', 'is enabled', 'was not disabled'),
  },
  unlock: {
    action: 'user.unlocked',
    make: makeUnlock,
    console: { path: 'unlock', summary: 'End every lockout after wrong passwords and codes' },
    command: userVerb(
      'unlock',
      'end every lockout: of passwords, emailed codes and the second factor',
      'is no longer locked out',
    ),
  },
  takeEmailAsVerified: {
    action: 'user.verified',
    // Founders enter the console only with a verified email: no operator of a lower role may let them in.
    protectsFounders: true,
    make: takeEmailAsVerified,
    console: { path: 'verify', summary: 'Take the email as verified' },
    command: userVerb('verify', 'mark a user’s email as verified', 'is verified', 'was verified already'),
  },
  resendCode: {
    action: 'user.code_resent',
    make: makeResendCode,
    console: {
      path: 'resend-code',
      summary: 'Mail a new code to verify the email',
      conflicts: ['already_verified'],
      throttled: ['too_many_code_mails'],
    },
  },
  resetTwoFactor: {
    action: 'two_factor.reset',
    allowsSelf: false,
    needsReason: true,
    make: resetTwoFactor,
    console: {
      path: 'reset-two-factor',
      summary: 'Remove the second factor, end all sessions and tell the user by mail',
    },
    command: userVerb(
      'reset-2fa',
      'remove the second factor, end all sessions and notify the user by mail',
      'no longer has a second factor, and is notified by mail',
      'had no second factor',
    ),
  },
  endSessions: {
    action: 'user.logged_out',
    protectsFounders: true,
    make: endUserSessions,
    console: { method: 'DELETE', path: 'sessions', summary: 'End all sessions' },
  },
  endSession: {
    action: 'session.ended',
    protectsFounders: true,
    input: { sessionId: TEXT },
    make: endUserSession,
    console: {
      method: 'DELETE',
      path: 'sessions/{sid}',
      summary: 'End one session of a user',
      params: { sid: SESSION_ID },
      example: { reason: 'A lost telephone' },
      inputOf: (_, { sid }) => sid,
      missing: {
        description: 'There is no such user or session.',
        errors: ['user_not_found', 'session_not_found'],
      },
    },
  },
  unlinkIdentity: {
    action: 'identity.unlinked',
    protectsFounders: true,
    needsReason: true,
    input: { identity: identityName },
    make: unlinkIdentity,
    command: {
      noun: 'users',
      verb: 'unlink <user> <provider> <account>',
      about: 'remove an identity at a provider, even the last sign-in method, and notify the user by mail',
      inputOf: (provider, providerAccountId) => ({ provider, providerAccountId }),
      outcome: ({ email, changed }, provider, account) =>
        `${email} ${changed ? 'can no longer sign in with' : 'had no identity'} ${provider} ${account}.`,
    },
  },
  removePasskey: {
    action: 'passkey.removed',
    protectsFounders: true,
    needsReason: true,
    input: { id: TEXT },
    make: removePasskey,
    command: {
      noun: 'users',
      verb: 'remove-passkey <user> <passkey>',
      about: 'remove a passkey by its id and notify the user by mail',
      inputOf: (passkey) => passkey,
      outcome: ({ userId }, passkey) =>
        `${userId} no longer has the passkey ${passkey}, and is notified by mail.`,
    },
  },
  sendReset: {
    action: 'password.reset_sent',
    make: makeSendReset,
    command: userVerb('send-reset', 'mail a user a code to set a new password', 'gets a code by mail'),
  },
  setEmail: {
    action: 'user.email_changed',
    protectsFounders: true,
    needsReason: true,
    input: { email: TEXT },
    make: setEmail,
    command: {
      noun: 'users',
      verb: 'set-email <user> <email>',
      about: 'change a user’s email and notify both addresses',
      inputOf: (email) => email,
      outcome: ({ userId, email, changed }) =>
        `${userId} ${changed ? 'has the email' : 'had the email already:'} ${email}.`,
    },
  },
  appoint: {
    action: 'entitlement.changed',
    allowsSelf: false,
    role: 'founder',
    input: { role: oneOf(OPERATOR_ROLES) },
    make: appoint,
    console: withBody({
      method: 'PUT',
      path: 'operator',
      summary: 'Make a user an operator in a role',
      body: appointBody,
      example: { reason: 'A new colleague', role: 'dev' },
      inputOf: ({ role }) => role,
    }),
  },
  dismiss: {
    action: 'entitlement.changed',
    allowsSelf: false,
    role: 'founder',
    make: dismiss,
    console: { method: 'DELETE', path: 'operator', summary: 'Make an operator an ordinary user' },
    command: {
      noun: 'operator',
      verb: 'revoke <user>',
      about: 'make an operator an ordinary user',
      outcome: ({ email, changed }) =>
        `${email} ${changed ? 'is no longer an operator' : 'was not an operator'}.`,
    },
  },
} as const satisfies Readonly<Record<string, UserAction>>;

export type UserActionName = keyof typeof userActions;

/** The actions by name, in the order of the table. */
export const listUserActions = () =>
  Object.entries<UserAction>(userActions) as [UserActionName, UserAction][];

/** The calls of the actions. */
type UserActionCalls = {
  readonly [Name in UserActionName]: CallOf<(typeof userActions)[Name]>;
};
type CallOf<Action extends UserAction> =
  ReturnType<Action['make']> extends (user: string, by: Operator, input: infer Input) => infer Result
    ? Action extends { readonly input: object }
      ? (user: string, input: Input, by: Operator) => Result
      : (user: string, by: Operator) => Result
    : never;

export const makeUserActions = (deps: Deps): UserActionCalls => {
  const rows = listUserActions().map(([name, action]) => {
    const run = action.make(deps, action) as (user: string, by: Operator, input?: unknown) => unknown;
    // Calls take the operator last, `run` takes the input last.
    const call = (user: string, input: unknown, by: Operator) => run(user, by, input);
    const by = action.needsReason ? reasoningOperatorInput : operatorInput;
    const makeCall = () => (action.input === undefined ? run : call);
    return [name, [makeCall, { user: TEXT, ...action.input, by }]] as const;
  });
  return makeCalls(deps, Object.fromEntries(rows) as unknown as CallRows<Deps, UserActionCalls>);
};

/** Runs an action by its name. `input` is undefined for an action without one. */
export const runUserAction = (
  calls: Readonly<Record<UserActionName, (user: string, ...rest: never[]) => Promise<AdminActionResult>>>,
  name: UserActionName,
  user: string,
  input: unknown,
  by: Operator,
): Promise<AdminActionResult> => {
  const call = calls[name] as (user: string, ...rest: readonly unknown[]) => Promise<AdminActionResult>;
  return input === undefined ? call(user, by) : call(user, input, by);
};
