import { token } from '../../answer-schemas.ts';
import { CoreError } from '../../errors.ts';
import type { Digest } from '../../ports.ts';
import { flag, object, optional, type TypeOf } from '../../schema.ts';
import { type Account, exists, isBanned, isDisabled } from '../account.ts';
import { type Caller, calledFrom, clientOf } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { invalidRefreshToken, invalidToken } from '../errors.ts';
import { withPending } from '../outbox-entries.ts';
import type { AccountsPolicy } from '../policy.ts';
import type { Principal } from '../principal.ts';
import { awaitsRenewal, isLive, isOpen, type Session, timeSince } from '../session.ts';
import { changeSession } from './change-session.ts';
import { hasLiveParent } from './parent-session.ts';
import { noteUse, renewCookie } from './session-cookie.ts';
import {
  ACCESS_TOKEN,
  hasValidMac,
  newSessionSecret,
  REFRESH_TOKEN,
  readSecret,
  type SessionIds,
  type SessionTokens,
  tokensInCookie,
  withMac,
} from './session-secret.ts';

/**
 * The tokens that may have followed `token` under a `refreshGraceMs`: one for each hash key. The first is the successor to issue
 * now. No token is stored: they are derived from `token`, so that a repeated exchange gets the same answer. See decision 0011.
 */
const successorsOf = (digest: Digest, token: string): readonly [string, ...string[]] => {
  // A token is the ids of the user and of the session, a secret and a MAC.
  const ids = token.split('.').slice(0, 2).join('.');
  const derived = digest
    .everyKeyed('refresh-successor', token)
    .map((secret) => withMac(digest, 'refresh-mark', `${ids}.${secret}`));
  // There is always a hash key, so `first` is never empty.
  const [first = '', ...others] = derived;
  return [first, ...others];
};

export const refreshInput = object({ refreshToken: token('The newest one of the session; it works once') });
export type RefreshInput = TypeOf<typeof refreshInput>;

export const tokenPair = object(
  {
    token: ACCESS_TOKEN,
    refreshToken: REFRESH_TOKEN,
    banned: optional(flag({ description: 'Present when this or `disabled` is true', examples: [false] })),
    disabled: optional(flag({ description: 'Present when this or `banned` is true', examples: [false] })),
  },
  { title: 'TokenPair' },
);
/** A new pair of tokens. The flags are present only when one of them is true. */
export type RefreshResult = TypeOf<typeof tokenPair>;

/** The exchange of a refresh token for the next one, both by their digests. */
export interface Rotation {
  readonly presented: string;
  readonly next: string;
  readonly now: number;
  readonly refreshExpiresAt: number;
  readonly address: string;
  readonly userAgent: string | null;
  /** Which used tokens to remember: those of the last `lifeMs`, at most `most` including the presented one. */
  readonly usedTokens: { readonly lifeMs: number; readonly most: number };
  /** Voids the access tokens issued before this time. */
  readonly tokensFrom?: number;
  /** The account's new session version. */
  readonly epoch?: number;
}

/**
 * The session after the exchange. Undefined if the presented token is not the current one, or the session is not open.
 * The presented token is remembered at least until the next exchange, however late that is.
 */
export const rotatedSession = (session: Session, rotation: Rotation): Session | undefined => {
  const { presented, now, usedTokens } = rotation;
  if (session.refreshDigest !== presented || !isOpen(session, now)) return undefined;
  const others = session.usedTokens.filter(({ at }) => timeSince(at, now) <= usedTokens.lifeMs);
  return {
    ...session,
    refreshDigest: rotation.next,
    usedTokens: [{ digest: presented, at: now }, ...others].slice(0, usedTokens.most),
    tokensFrom: rotation.tokensFrom ?? session.tokensFrom,
    epoch: rotation.epoch ?? session.epoch,
    refreshExpiresAt: rotation.refreshExpiresAt,
    lastUsedAt: now,
    address: rotation.address,
    userAgent: rotation.userAgent,
  };
};

export const makeRefresh = (deps: Deps) => {
  const { clock, digest, idAt, log, policy, sessions, tokens } = deps;

  /** Using an app also uses the session in a cookie that authorized it: that must not end while the app is in use. */
  const noteUseOfParent = async ({ userId, givenBy }: Session, now: number): Promise<void> => {
    const parent = givenBy && (await sessions.find(userId, givenBy.id));
    // `undefined`: the caller is the app, not the browser that has the cookie.
    if (parent?.cookie !== undefined) await noteUse(deps, parent, undefined, now);
  };

  const exchange = async (
    presentedToken: string,
    ids: SessionIds,
    caller: Caller,
  ): Promise<RefreshResult> => {
    const { userId, sessionId } = ids;
    const now = clock.now();
    const successor =
      policy.refreshGraceMs > 0
        ? successorsOf(digest, presentedToken)[0]
        : newSessionSecret(deps, 'refresh-mark', userId, sessionId);
    const issue = (tokenId: string) =>
      tokens.issue({ userId, sessionId, tokenId }, now, policy.accessTokenSeconds);
    // The id has the time of the rotation, by which a password change recognizes earlier tokens.
    const tokenId = idAt(now);
    // Before the rotation: if a read or the signature fails, the presented token is still valid.
    const [owner, accessToken] = await Promise.all([
      sessions.findWithAccount(userId, sessionId),
      issue(tokenId),
    ]);
    if (owner === undefined) throw invalidRefreshToken();
    const { account } = owner;
    const rotation: Rotation = {
      presented: digest.sha256(presentedToken),
      next: digest.sha256(successor),
      ...rotationBy(caller, policy, now),
    };
    const rotated = await changeSession(
      deps,
      { userId, id: sessionId },
      (session) => {
        const next = rotatedSession(session, rotation);
        return next && { next, answer: next };
      },
      owner.session,
    );
    const [session, refreshToken] =
      rotated === undefined
        ? await answerRepeat(deps, presentedToken, ids, account, caller)
        : [rotated, successor];
    if (!isLive(session, account, now) || !(await hasLiveParent(deps, session, account))) {
      // A change of the account may be about to renew the session.
      if (!awaitsRenewal(session, account)) await sessions.end(userId, sessionId, now);
      throw invalidRefreshToken();
    }
    await noteUseOfParent(session, now);
    // A token is void if the time in its id is before `tokensFrom`. If a process whose clock is ahead has set `tokensFrom`, it
    // may lie in our future: then a token with that time takes the place of `accessToken`, whose time is `now`.
    const tokensFrom = session.tokensFrom ?? 0;
    const token = tokensFrom > now ? await issue(idAt(tokensFrom)) : accessToken;
    log.info('session.refreshed', { userId, sessionId, ...calledFrom(caller) });
    const banned = isBanned(account, now);
    const disabled = isDisabled(account, now);
    return banned || disabled ? { token, refreshToken, banned, disabled } : { token, refreshToken };
  };

  return async ({ refreshToken }: RefreshInput, caller: Caller): Promise<RefreshResult> => {
    const ids = readSecret(refreshToken);
    try {
      if (ids === undefined) throw invalidRefreshToken();
      return await exchange(refreshToken, ids, caller);
    } catch (error) {
      if (error instanceof CoreError && error.kind === 'unauthenticated') {
        log.info('session.refresh_failed', { ...ids, ...calledFrom(caller) });
      }
      throw error;
    }
  };
};

/** The fields of every rotation: the client, the next token's expiry, and the limits for remembered tokens. */
const rotationBy = (caller: Caller, policy: AccountsPolicy, now: number) => ({
  now,
  refreshExpiresAt: now + policy.refreshTokenLifeMs,
  ...clientOf(caller),
  usedTokens: { lifeMs: policy.refreshReuseToleranceMs, most: policy.usedTokensPerSession },
});

/**
 * Ends a session whose used refresh token came again. Writes the mail and the audit row first: if the process dies in between,
 * the next use of the token ends the session.
 */
const endStolen = async (deps: Deps, { userId, id }: Session, caller: Caller) => {
  const { accounts, change, clock, entries, log, sessions, tokens } = deps;
  // The ids come from the session, so a repetition adds no entry.
  const rowId = `stolen-${id}`;
  await change(
    () => accounts.find(userId),
    (account) => {
      if (!exists(account)) return { next: null, answer: undefined };
      if (account.pending.some((entry) => entry.id === rowId)) return { next: null, answer: undefined };
      const event = { action: 'session.reuse_detected', actor: 'system', target: userId, caller };
      const row = { ...entries.audit(event), id: rowId };
      const notice = { ...entries.notice(account, 'session-stolen', caller), id: `${rowId}-mail` };
      return { next: withPending(account, row, notice), answer: undefined };
    },
  );
  if (await sessions.end(userId, id, clock.now())) {
    log.warn('session.stolen', { userId, sessionId: id, ...calledFrom(caller) });
  }
  tokens.forget(id);
};

/**
 * Answers a token that cannot be rotated: a repeat within the grace gets its successor again, any other token is refused. A
 * repeat later than the tolerance also ends the session.
 */
const answerRepeat = async (
  deps: Deps,
  presentedToken: string,
  { userId, sessionId }: SessionIds,
  account: Account,
  caller: Caller,
): Promise<readonly [Session, string]> => {
  const { clock, digest, policy, sessions } = deps;
  const now = clock.now();
  const session = await sessions.find(userId, sessionId);
  if (session === undefined || session.endedAt !== null) throw invalidRefreshToken();
  // A change of the account has voided the session's tokens: it is no theft.
  if (awaitsRenewal(session, account)) throw invalidRefreshToken();
  const presentedDigest = digest.sha256(presentedToken);
  const use = session.usedTokens.find((used) => used.digest === presentedDigest);
  // The session forgets used tokens after a while: an unknown token with a valid MAC was used before that.
  const sinceUse = use === undefined ? Number.POSITIVE_INFINITY : timeSince(use.at, now);
  // The newest used token comes first: the current token is its successor.
  const isNewestUse = use !== undefined && use === session.usedTokens[0];
  if (policy.refreshGraceMs > 0 && isNewestUse && sinceUse <= policy.refreshGraceMs) {
    const successor = successorsOf(digest, presentedToken).find(
      (candidate) => digest.sha256(candidate) === session.refreshDigest,
    );
    if (successor !== undefined) return [session, successor];
  }
  const wasUsed =
    presentedDigest !== session.refreshDigest && hasValidMac(digest, 'refresh-mark', presentedToken);
  if (wasUsed && sinceUse > policy.refreshReuseToleranceMs) await endStolen(deps, session, caller);
  throw invalidRefreshToken();
};

/** A time later than every token of the session, even of a process whose clock is ahead, or of another renewal. */
const laterThanAny = ({ lastUsedAt, tokensFrom, usedTokens }: Session, now: number): number =>
  Math.max(now, lastUsedAt, tokensFrom ?? 0, ...usedTokens.map(({ at }) => at)) + 1;

const renewSecrets = async (
  deps: Deps,
  principal: Principal,
  sessionVersion: number,
  caller: Caller,
): Promise<SessionTokens> => {
  const { clock, digest, idAt, policy, tokens } = deps;
  if (principal.cookie !== undefined)
    return tokensInCookie(await renewCookie(deps, principal, sessionVersion, caller));
  const key = { userId: principal.user.id, id: principal.session.id };
  const pair = await changeSession<SessionTokens>(deps, key, async (session) => {
    if (session.refreshDigest === null || session.endedAt !== null) return undefined;
    const now = clock.now();
    const tokensFrom = laterThanAny(session, now);
    const subject = { userId: key.userId, sessionId: key.id, tokenId: idAt(tokensFrom) };
    const token = await tokens.issue(subject, now, policy.accessTokenSeconds);
    const refreshToken = newSessionSecret(deps, 'refresh-mark', key.userId, key.id);
    const next = rotatedSession(session, {
      presented: session.refreshDigest,
      next: digest.sha256(refreshToken),
      ...rotationBy(caller, policy, now),
      tokensFrom,
      epoch: sessionVersion,
    });
    return next && { next, answer: { transport: 'tokens', token, refreshToken } };
  });
  if (pair === undefined) throw invalidToken();
  tokens.forget(key.id);
  return pair;
};

/**
 * Gives a session new secrets (a pair of tokens, or a new value of its cookie) and `sessionVersion`, the version set by
 * the change that voided the earlier ones. Those stay void even if the process dies before this call. If the call fails,
 * the session ends. Throws `unauthenticated` (`invalid_token`) if the session ended meanwhile. See decision 0011.
 */
export const reissueTokens = (
  deps: Deps,
  principal: Principal,
  sessionVersion: number,
  caller: Caller,
): Promise<SessionTokens> =>
  renewSecrets(deps, principal, sessionVersion, caller).catch(async (error: unknown) => {
    const { clock, sessions, tokens, wake } = deps;
    await sessions.end(principal.user.id, principal.session.id, clock.now()).catch(() => undefined);
    tokens.forget(principal.session.id);
    wake();
    throw error;
  });
