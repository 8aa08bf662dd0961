import type { Caller } from '../base-deps.ts';
import type { Deps } from '../deps.ts';
import { invalidToken } from '../errors.ts';
import { CLOCK_SET_BACK } from '../policy.ts';
import type { Principal } from '../principal.ts';
import type { Method, Proof, Session } from '../session.ts';
import { cookieUse, makeCookieValue, type NewCookie } from './cookie.ts';

const ATTEMPTS = 5;

/** A time later than the last change, even if the clock was set back since. */
const laterThan = ({ cookie }: Session, now: number): number => Math.max(now, (cookie?.changedAt ?? 0) + 1);

/**
 * Gives the cookie of a session a new value. Throws `unauthenticated` (`invalid_token`) if the session ended meanwhile,
 * or if other requests change it in every attempt.
 */
export const makeRenewCookie = (deps: Deps) => {
  const { clock, policy, sessions, tokens } = deps;

  /** `decide` returns the change, or undefined for none. It is called again if the session was used in between. */
  const renew = async (
    { user, session: { id } }: Principal,
    caller: Caller,
    decide: (
      session: Session,
      now: number,
    ) => { previousDigest: string | null; change: SessionChange } | undefined,
  ): Promise<NewCookie | undefined> => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const session = await sessions.find(user.id, id);
      if (session?.cookie === undefined || session.endedAt !== null) break;
      const now = clock.now();
      const decision = decide(session, now);
      if (decision === undefined) return undefined;
      const { cookie, newCookie } = makeCookieValue(
        deps,
        session,
        laterThan(session, now),
        decision.previousDigest,
      );
      const change = { ...decision.change, cookie };
      const renewed = await sessions.use({ ...cookieUse(session, caller, policy, now), change });
      if (renewed === undefined) continue;
      tokens.forget(id);
      return newCookie;
    }
    throw invalidToken();
  };

  return {
    /**
     * Renews the cookie after a new proof. The former value stays valid a moment longer, for requests under way. A caller
     * whose value another proof has replaced meanwhile gets no new one, since the browser has received that already.
     */
    afterProof: async (
      principal: Principal,
      proof: Proof,
      caller: Caller,
    ): Promise<NewCookie | undefined> => {
      const newCookie = await renew(principal, caller, ({ cookie }) => {
        const isReplaced =
          principal.cookie?.isFormer !== false || cookie?.changedAt !== principal.cookie.changedAt;
        return isReplaced ? undefined : { previousDigest: cookie.digest, change: proof };
      });
      if (newCookie === undefined && !(await sessions.prove(principal.user.id, principal.session.id, proof)))
        throw invalidToken();
      return newCookie;
    },
    /** Renews the cookie after a change that voids its value. Access tokens issued before the change are void, too. */
    afterChange: async (principal: Principal, sessionVersion: number, caller: Caller): Promise<NewCookie> => {
      const newCookie = await renew(principal, caller, (session, now) => {
        // The time of the last access token is not stored, nor how far ahead the clock of its process was.
        const tokensFrom = Math.max(laterThan(session, now), session.tokensFrom ?? 0) + CLOCK_SET_BACK;
        return { previousDigest: null, change: { epoch: sessionVersion, tokensFrom } };
      });
      if (newCookie === undefined) throw invalidToken();
      return newCookie;
    },
  };
};

type SessionChange = Partial<Proof & Pick<Session, 'epoch' | 'tokensFrom'>>;

/** A proof that the caller's session now holds. */
export interface NotedProof {
  /** Epoch milliseconds. */
  readonly freshUntil: number;
  /** The new value where the session is in a cookie. */
  readonly cookie?: NewCookie;
}

/** Writes into the caller's session that its owner has just been authenticated again. */
export const makeNoteProof = (deps: Deps) => {
  const { clock, policy, sessions } = deps;
  const renewCookie = makeRenewCookie(deps);

  return async (principal: Principal, methods: readonly Method[], caller: Caller): Promise<NotedProof> => {
    const now = clock.now();
    const proof = { authenticatedAt: now, methods };
    const freshUntil = now + policy.freshFor;
    if (principal.cookie !== undefined) {
      const cookie = await renewCookie.afterProof(principal, proof, caller);
      return { freshUntil, ...(cookie && { cookie }) };
    }
    if (!(await sessions.prove(principal.user.id, principal.session.id, proof))) throw invalidToken();
    return { freshUntil };
  };
};
