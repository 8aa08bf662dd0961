import { USER_ID } from '../../answer-schemas.ts';
import { flag, list, object, type TypeOf } from '../../schema.ts';
import { type Account, AVATAR, isBanned, isDisabled } from '../account.ts';
import { type Caller, clientOf } from '../caller.ts';
import type { Decision } from '../change-account.ts';
import type { Deps } from '../deps.ts';
import { DISPLAY_NAME } from '../display-name.ts';
import { CANONICAL_EMAIL } from '../email.ts';
import { CONNECTED, effectiveAccess, IS_PREMIUM, SERVICE_NAME, TIER } from '../entitlement.ts';
import { refuseAccess, wrongCredentials } from '../errors.ts';
import { consoleRefusal } from '../operators.ts';
import type { Method, Session } from '../session.ts';
import { cookieSessionsOff } from './session-cookie.ts';
import {
  makeCookieValue,
  newSessionSecret,
  SESSION_TOKENS,
  type SessionTokens,
  tokensInCookie,
} from './session-secret.ts';

export const signedInUser = object(
  { id: USER_ID, email: CANONICAL_EMAIL, displayName: DISPLAY_NAME, avatar: AVATAR },
  { title: 'LoginUser' },
);
/** A user as a sign-in shows them. */
export type SignedInUser = TypeOf<typeof signedInUser>;

const serviceSummary = object(
  { service: SERVICE_NAME, tier: TIER, isPremium: IS_PREMIUM, connected: CONNECTED },
  { title: 'ServiceSummary' },
);

export const signInResult = object(
  {
    user: signedInUser,
    ...SESSION_TOKENS,
    services: list(serviceSummary),
    banned: flag({ description: 'Whether an operator has banned the account', examples: [false] }),
    disabled: flag({ description: 'Whether an operator has disabled the account', examples: [false] }),
  },
  { title: 'LoggedIn' },
);

/** A user who has signed in, with the secrets of the session and the access to each service. */
export type SignInResult = { readonly status: 'signed_in' } & Omit<
  TypeOf<typeof signInResult>,
  keyof typeof SESSION_TOKENS
> &
  SessionTokens;

export const viewSignedInUser = ({ id, email, displayName, avatar }: Account): SignedInUser => ({
  id,
  email,
  displayName,
  avatar,
});

/** An account whose owner has been authenticated, and the methods that proved it. */
export interface SessionRequest {
  readonly account: Account;
  readonly methods: readonly Method[];
  /** When the owner was authenticated, epoch milliseconds; now when absent. */
  readonly authenticatedAt?: number;
  /** The id of the new session; generated when absent. */
  readonly sessionId?: string;
  /** The session that authorized the app. The app's session ends no later. */
  readonly parent?: Session;
}

/** The result of a sign-in, and the factors that were used. */
export interface OpenedSession {
  readonly result: SignInResult;
  readonly methods: readonly Method[];
}

interface StartedSession {
  readonly session: Session;
  readonly tokens: SessionTokens;
}

/** The fields that sessions in cookies and sessions with tokens share. */
type SessionFields = Omit<Session, 'refreshDigest' | 'cookie'>;

/** A write that starts together with that of the session, so that both share a commit. Each call returns the same promise. */
type ConcurrentWrite = () => Promise<void>;

const withCookie = (deps: Deps, session: SessionFields): StartedSession => {
  // The setting is not about the console, which always uses cookies.
  if (!deps.policy.cookieSessions && session.kind === undefined) throw cookieSessionsOff();
  // Null: the cookie has no previous value.
  const { cookie, newCookie } = makeCookieValue(deps, session, session.createdAt, null);
  return { session: { ...session, refreshDigest: null, cookie }, tokens: tokensInCookie(newCookie) };
};

const withTokens = async (deps: Deps, session: SessionFields): Promise<StartedSession> => {
  const { digest, idAt, policy, tokens } = deps;
  const { id, userId, createdAt } = session;
  const refreshToken = newSessionSecret(deps, 'refresh-mark', userId, id);
  const subject = { userId, sessionId: id, tokenId: idAt(createdAt) };
  const token = await tokens.issue(subject, createdAt, policy.accessTokenSeconds);
  return {
    session: { ...session, refreshDigest: digest.sha256(refreshToken) },
    tokens: { transport: 'tokens', token, refreshToken },
  };
};

/** Adds the session; undefined if the account was deleted, or its sessions were ended, since it was read. */
const startSession = async (
  deps: Deps,
  request: SessionRequest,
  caller: Caller,
  concurrentWrite: ConcurrentWrite | undefined,
): Promise<StartedSession | undefined> => {
  const { clock, newId, policy, sessions } = deps;
  const now = clock.now();
  const { account, methods, authenticatedAt = now, sessionId = newId(), parent } = request;
  const isConsole = caller.session === 'console';
  const lifetime = isConsole ? policy.consoleLifeMs : policy.sessionLifeMs;
  const endsAt = Math.min(now + lifetime, parent?.endsAt ?? Number.POSITIVE_INFINITY);
  const idle = isConsole ? policy.consoleIdleMs : policy.refreshTokenLifeMs;
  const session: SessionFields = {
    id: sessionId,
    userId: account.id,
    epoch: account.sessionEpoch,
    usedTokens: [],
    tokensFrom: null,
    refreshExpiresAt: Math.min(now + idle, endsAt),
    endsAt,
    createdAt: now,
    lastUsedAt: now,
    authenticatedAt,
    methods,
    ...clientOf(caller),
    endedAt: null,
    ...(isConsole && { kind: 'console' }),
    ...(parent && { givenBy: { id: parent.id, epoch: account.sessionEpoch } }),
  };
  const started = caller.session === undefined ? await withTokens(deps, session) : withCookie(deps, session);
  // Starts the write; the caller awaits it and gets its error. Here an error must not become an unhandled rejection.
  concurrentWrite?.().catch(() => undefined);
  return (await sessions.add(started.session, policy.sessionsPerUser)) ? started : undefined;
};

const resultOf = ({ clock, policy }: Deps, account: Account, { tokens }: StartedSession): SignInResult => {
  const now = clock.now();
  return {
    status: 'signed_in',
    user: viewSignedInUser(account),
    ...tokens,
    services: account.entitlements.map((entitlement) => ({
      service: entitlement.service,
      ...effectiveAccess(entitlement, policy.selfEntitlement),
      connected: entitlement.connected,
    })),
    banned: isBanned(account, now),
    disabled: isDisabled(account, now),
  };
};

/**
 * Starts the session that a decision asks for. The session is written before the account, so no code is spent on a
 * sign-in that fails; until the account is written nobody has the session's tokens. Refuses with `wrong_credentials` if
 * the account is deleted, or its sessions end, meanwhile; at the console, refuses users who may not enter it, with the reason.
 */
export const openSession = async (
  deps: Deps,
  decision: Decision<SessionRequest>,
  caller: Caller,
  concurrentWrite?: ConcurrentWrite,
): Promise<Decision<OpenedSession>> => {
  const { clock, log, sessions } = deps;
  if ('refuse' in decision) return decision;
  const { account, methods } = decision.answer;
  if (caller.session === 'console') {
    const reason = consoleRefusal(account, clock.now());
    // The code or token of the proof is spent nevertheless.
    if (reason !== undefined)
      return { next: decision.next, refuse: refuseAccess(log, account.id, reason, caller) };
  }
  const started = await startSession(deps, decision.answer, caller, concurrentWrite);
  if (started === undefined) return { next: null, refuse: wrongCredentials() };
  return {
    next: decision.next,
    answer: { result: resultOf(deps, account, started), methods },
    undo: () => sessions.remove(started.session.userId, started.session.id),
  };
};
