import { invalidToken } from '../errors.ts';
import type { Identity } from '../identity.ts';
import type { Kit } from '../kit.ts';
import type { Caller } from '../needs.ts';
import { CLOCK_SET_BACK } from '../policy.ts';
import type { Proof, Session } from '../session.ts';
import { makeCookieValue, type NewCookie } from './cookie.ts';
import { cookieUse } from './use-cookie.ts';

const ATTEMPTS = 5;

/** Later than the last change, also where the clock was set back since. */
const laterThan = ({ cookie }: Session, now: number): number => Math.max(now, (cookie?.changedAt ?? 0) + 1);

/**
 * Gives the cookie of a session a new value. Throws `unauthenticated` (`invalid_token`) if the session ended meanwhile,
 * or if others change it faster.
 */
export const makeRenewCookie = (kit: Kit) => {
  const { clock, policy, sessions, tokens } = kit;

  /** `decide` says what changes; undefined: nothing does. Again when the session was used in between. */
  const renew = async (
    { user, session: { id } }: Identity,
    caller: Caller,
    decide: (session: Session, now: number) => { previousDigest: string | null; change: Change } | undefined,
  ): Promise<NewCookie | undefined> => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const session = await sessions.find(user.id, id);
      if (session?.cookie === undefined || session.endedAt !== null) break;
      const now = clock.now();
      const decided = decide(session, now);
      if (decided === undefined) return undefined;
      const { cookie, given } = makeCookieValue(
        kit,
        session,
        laterThan(session, now),
        decided.previousDigest,
      );
      const change = { ...decided.change, cookie };
      const renewed = await sessions.use({ ...cookieUse(session, caller, policy, now), change });
      if (renewed === undefined) continue;
      tokens.forget(id);
      return given;
    }
    throw invalidToken();
  };

  return {
    /**
     * After a new proof. The value before is good a moment longer, for requests that are on their way. A caller whose
     * value another proof has replaced meanwhile gets none, since the browser has that one's.
     */
    afterProof: async (who: Identity, proof: Proof, caller: Caller): Promise<NewCookie | undefined> => {
      const given = await renew(who, caller, ({ cookie }) => {
        const isReplaced = who.cookie?.isFormer !== false || cookie?.changedAt !== who.cookie.changedAt;
        return isReplaced ? undefined : { previousDigest: cookie.digest, change: proof };
      });
      if (given === undefined && !(await sessions.prove(who.user.id, who.session.id, proof)))
        throw invalidToken();
      return given;
    },
    /** After a change that voids what the session was kept by. Access tokens made before it are over, too. */
    afterChange: async (who: Identity, epoch: number, caller: Caller): Promise<NewCookie> => {
      const given = await renew(who, caller, (session, now) => {
        // Nothing says when the last access token was made, or how far ahead the clock was that made it.
        const tokensFrom = Math.max(laterThan(session, now), session.tokensFrom ?? 0) + CLOCK_SET_BACK;
        return { previousDigest: null, change: { epoch, tokensFrom } };
      });
      if (given === undefined) throw invalidToken();
      return given;
    },
  };
};

type Change = Partial<Proof & Pick<Session, 'epoch' | 'tokensFrom'>>;
