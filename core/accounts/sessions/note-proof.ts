import { invalidToken } from '../errors.ts';
import type { Identity } from '../identity.ts';
import type { Kit } from '../kit.ts';
import type { Caller } from '../needs.ts';
import type { Method } from '../session.ts';
import type { NewCookie } from './cookie.ts';
import { makeRenewCookie } from './renew-cookie.ts';

/** A proof that the caller's session holds from now on. */
export interface NotedProof {
  /** Epoch milliseconds. */
  readonly freshUntil: number;
  /** The new value where the session is in a cookie. */
  readonly cookie?: NewCookie;
}

/** Notes in the caller's session that its owner has just proved who they are. */
export const makeNoteProof = (kit: Kit) => {
  const { clock, policy, sessions } = kit;
  const renewCookie = makeRenewCookie(kit);

  return async (who: Identity, methods: readonly Method[], caller: Caller): Promise<NotedProof> => {
    const now = clock.now();
    const proof = { authenticatedAt: now, methods };
    const freshUntil = now + policy.freshFor;
    if (who.cookie !== undefined) {
      const cookie = await renewCookie.afterProof(who, proof, caller);
      return { freshUntil, ...(cookie && { cookie }) };
    }
    if (!(await sessions.prove(who.user.id, who.session.id, proof))) throw invalidToken();
    return { freshUntil };
  };
};
