import { invalidToken, restricted } from '../errors.ts';
import type { Identity } from '../identity.ts';
import type { Kit } from '../kit.ts';

/** Gives the caller behind a cookie an access token for other services. An access token gives no further one. */
export const makeIssueAccessToken =
  ({ clock, idAt, policy, sessions, tokens }: Kit) =>
  async ({ user, session: { id, kind }, cookie }: Identity): Promise<{ readonly token: string }> => {
    if (cookie === undefined) throw restricted('cookie_needed');
    if (kind === 'console') throw invalidToken();
    const session = await sessions.find(user.id, id);
    if (session === undefined || session.endedAt !== null) throw invalidToken();
    const now = clock.now();
    // Where a change of the password lies ahead of our clock.
    const tokenId = idAt(Math.max(now, session.tokensFrom ?? 0));
    const subject = { userId: user.id, sessionId: id, tokenId };
    return { token: await tokens.issue(subject, now, policy.accessTokenSeconds) };
  };
