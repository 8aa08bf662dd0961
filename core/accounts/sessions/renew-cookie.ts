import type { Caller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { invalidToken } from '../errors.ts';
import { CLOCK_SET_BACK } from '../policy.ts';
import type { Principal } from '../principal.ts';
import { type Method, type Proof, provedSession, type Session, usedSession } from '../session.ts';
import { makeChangeSession, makeWriteProof, type SessionDecision } from './change-session.ts';
import { cookieUse, makeCookieValue, type NewCookie } from './session-cookie.ts';

/** A time later than the last change, even if the clock was set back since. */
const laterThan = ({ cookie }: Session, now: number): number => Math.max(now, (cookie?.changedAt ?? 0) + 1);

type SessionChange = Partial<Proof & Pick<Session, 'epoch' | 'tokensFrom'>>;

/** The new value of a cookie; absent where the session keeps its value. */
interface Renewal {
  readonly cookie?: NewCookie;
}

/** Gives the cookie of a session a new value. Throws `unauthenticated` (`invalid_token`) if the session ended meanwhile. */
export const makeRenewCookie = (deps: Deps) => {
  const { clock, policy, tokens } = deps;
  const changeSession = makeChangeSession(deps);

  const renew = async (
    { user, session: { id } }: Principal,
    decide: (session: Session, now: number) => SessionDecision<Renewal> | undefined,
  ): Promise<Renewal> => {
    const renewal = await changeSession({ userId: user.id, id }, (session) =>
      session.cookie === undefined ? undefined : decide(session, clock.now()),
    );
    if (renewal === undefined) throw invalidToken();
    if (renewal.cookie !== undefined) tokens.forget(id);
    return renewal;
  };

  const withNewValue = (
    session: Session,
    previousDigest: string | null,
    sessionChange: SessionChange,
    caller: Caller,
    now: number,
  ): SessionDecision<Renewal> | undefined => {
    const { cookie, newCookie } = makeCookieValue(deps, session, laterThan(session, now), previousDigest);
    const change = { ...sessionChange, cookie };
    const next = usedSession(session, { ...cookieUse(session, caller, policy, now), change });
    return next && { next, answer: { cookie: newCookie } };
  };

  return {
    /**
     * Writes a new proof, and renews the cookie. The former value stays valid a moment longer, for requests under way. A
     * caller whose value another proof has replaced meanwhile gets no new one, since the browser has received that already.
     */
    afterProof: (principal: Principal, proof: Proof, caller: Caller): Promise<Renewal> =>
      renew(principal, (session, now) => {
        const { cookie } = session;
        const { isFormer, changedAt } = principal.cookie ?? {};
        if (cookie !== undefined && isFormer === false && changedAt === cookie.changedAt)
          return withNewValue(session, cookie.digest, proof, caller, now);
        const next = provedSession(session, proof);
        return next && { next, answer: {} };
      }),
    /** Renews the cookie after a change that voids its value. Access tokens issued before the change are void, too. */
    afterChange: async (principal: Principal, sessionVersion: number, caller: Caller): Promise<NewCookie> => {
      const { cookie } = await renew(principal, (session, now) => {
        // The time of the last access token is not stored, nor how far ahead the clock of its process was.
        const tokensFrom = Math.max(laterThan(session, now), session.tokensFrom ?? 0) + CLOCK_SET_BACK;
        return withNewValue(session, null, { epoch: sessionVersion, tokensFrom }, caller, now);
      });
      if (cookie === undefined) throw invalidToken();
      return cookie;
    },
  };
};

/** A proof that the caller's session now holds. */
export interface NotedProof extends Renewal {
  /** Epoch milliseconds. */
  readonly freshUntil: number;
}

/** Writes into the caller's session that its owner has just been authenticated again. */
export const makeNoteProof = (deps: Deps) => {
  const { clock, policy } = deps;
  const renewCookie = makeRenewCookie(deps);
  const writeProof = makeWriteProof(deps);

  return async (principal: Principal, methods: readonly Method[], caller: Caller): Promise<NotedProof> => {
    const now = clock.now();
    const proof = { authenticatedAt: now, methods };
    const freshUntil = now + policy.freshFor;
    if (principal.cookie !== undefined)
      return { freshUntil, ...(await renewCookie.afterProof(principal, proof, caller)) };
    if (!(await writeProof({ userId: principal.user.id, id: principal.session.id }, () => proof)))
      throw invalidToken();
    return { freshUntil };
  };
};
