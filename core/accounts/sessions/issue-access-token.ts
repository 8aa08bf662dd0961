import { invalidToken, restricted } from '../errors.ts';
import type { Identity } from '../identity.ts';
import type { Kit } from '../kit.ts';
import { cookieReplaced } from './cookie.ts';

/** Gives the caller behind a cookie an access token for other services. An access token gives no further one. */
export const makeIssueAccessToken =
  ({ clock, idAt, policy, sessions, tokens }: Kit) =>
  async ({ user, session: { id, kind }, cookie }: Identity): Promise<{ readonly token: string }> => {
    if (cookie === undefined) throw restricted('cookie_needed');
    if (kind === 'console') throw invalidToken();
    const session = await sessions.find(user.id, id);
    if (session === undefined || session.endedAt !== null) throw invalidToken();
    const now = clock.now();
    const from = Math.max(now, session.tokensFrom ?? 0);
    // A change of the password voids tokens up to a time ahead of our clock. Only a value from after it gets one beyond:
    // what came with the request may be a second old.
    if (from > now && session.cookie?.changedAt !== cookie.changedAt) throw cookieReplaced();
    const tokenId = idAt(from);
    const subject = { userId: user.id, sessionId: id, tokenId };
    return { token: await tokens.issue(subject, now, policy.accessTokenSeconds) };
  };
