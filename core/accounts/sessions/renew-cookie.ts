import type { Caller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { invalidToken } from '../errors.ts';
import { CLOCK_SET_BACK } from '../policy.ts';
import type { Principal } from '../principal.ts';
import { type Method, type Proof, provedSession, type Session } from '../session.ts';
import { changeSession, type SessionDecision } from './change-session.ts';
import { cookieUse, usedSession } from './session-cookie.ts';
import { makeCookieValue, type NewCookie } from './session-secret.ts';

/** A time later than the last change of the cookie's value, even if the clock was set back since. */
const laterThan = ({ cookie }: Session, now: number): number => Math.max(now, (cookie?.changedAt ?? 0) + 1);

/**
 * The session with a new value of its cookie; undefined if it ended, or is not in a cookie. `previousDigest`: of the value
 * that stays valid a moment longer; null for none.
 */
const withNewValue = (
  deps: Deps,
  session: Session,
  previousDigest: string | null,
  sessionChange: Partial<Proof & Pick<Session, 'epoch' | 'tokensFrom'>>,
  caller: Caller,
): SessionDecision<{ readonly cookie: NewCookie }> | undefined => {
  const now = deps.clock.now();
  const { cookie, newCookie } = makeCookieValue(deps, session, laterThan(session, now), previousDigest);
  const change = { ...sessionChange, cookie };
  const next = usedSession(session, { ...cookieUse(session, caller, deps.policy, now), change });
  return next && { next, answer: { cookie: newCookie } };
};

/**
 * Renews the cookie after a change of the account that voids its value. Access tokens issued before the change are void,
 * too. Throws `unauthenticated` (`invalid_token`) if the session ended meanwhile.
 */
export const renewCookie = async (
  deps: Deps,
  { user, session: { id } }: Principal,
  sessionVersion: number,
  caller: Caller,
): Promise<NewCookie> => {
  const renewal = await changeSession(deps, { userId: user.id, id }, (session) => {
    // Access tokens from before `tokensFrom` are void. The time of the last token is not stored, nor how far ahead the clock of
    // its process was: so `tokensFrom` lies ahead by as much as clocks differ.
    const latest = Math.max(laterThan(session, deps.clock.now()), session.tokensFrom ?? 0);
    const change = { epoch: sessionVersion, tokensFrom: latest + CLOCK_SET_BACK };
    return withNewValue(deps, session, null, change, caller);
  });
  if (renewal === undefined) throw invalidToken();
  deps.tokens.forget(id);
  return renewal.cookie;
};

/** A proof that the caller's session now holds. */
export interface NotedProof {
  /** Epoch milliseconds. */
  readonly freshUntil: number;
  /** The new value of a cookie; absent where the session keeps its value. */
  readonly cookie?: NewCookie;
}

/**
 * Writes into the caller's session that its owner has just been authenticated again, and renews its cookie. Requests under
 * way may still use the former value. A caller whose value another proof has replaced meanwhile gets no new one: the
 * browser has received that of the other proof, or is about to. Throws `unauthenticated` (`invalid_token`) if the session
 * ended meanwhile.
 */
export const noteProof = async (
  deps: Deps,
  { user, session: { id }, cookie: sentCookie }: Principal,
  methods: readonly Method[],
  caller: Caller,
): Promise<NotedProof> => {
  const { clock, policy, tokens } = deps;
  const now = clock.now();
  const proof = { authenticatedAt: now, methods };
  const renewal = await changeSession<Pick<NotedProof, 'cookie'>>(
    deps,
    { userId: user.id, id },
    (session) => {
      const { cookie } = session;
      const sentCurrentValue = sentCookie?.isFormer === false && sentCookie.changedAt === cookie?.changedAt;
      if (cookie !== undefined && sentCurrentValue)
        return withNewValue(deps, session, cookie.digest, proof, caller);
      const next = provedSession(session, proof);
      return next && { next, answer: {} };
    },
  );
  if (renewal === undefined) throw invalidToken();
  if (renewal.cookie !== undefined) tokens.forget(id);
  return { freshUntil: now + policy.freshFor, ...renewal };
};
