import { invalid } from '../../errors.ts';
import { anyObject, list, object, optional, type TypeOf, text } from '../../schema.ts';
import type { Deps } from '../deps.ts';
import { invalidToken, restricted } from '../errors.ts';
import type { Principal } from '../principal.ts';
import { cookieReplaced } from './session-cookie.ts';
import { ACCESS_TOKEN } from './session-secret.ts';

export const issueAccessTokenInput = object({
  audience: optional(
    text({ maxLength: 256, description: 'One of `TOKEN_AUDIENCES`: the token is for that service alone' }),
  ),
});
/** `audience` is one of `TOKEN_AUDIENCES`: the token is for that service alone. Absent: `TOKEN_AUDIENCE`. */
export type IssueAccessTokenInput = TypeOf<typeof issueAccessTokenInput>;

export const sessionToken = object({ token: ACCESS_TOKEN }, { title: 'SessionToken' });
/** An access token of a session in a cookie. */
export type SessionToken = TypeOf<typeof sessionToken>;

export const jwkSet = object(
  {
    keys: list(
      anyObject({
        description: 'A public key for ES256 (RFC 7517)',
        examples: [{ kty: 'EC', crv: 'P-256' }],
      }),
    ),
  },
  { title: 'JwkSet' },
);
/** The public keys that verify access tokens. RFC 7517. */
export type JwkSet = TypeOf<typeof jwkSet>;

/** Issues an access token for other services to the caller behind a cookie. An access token cannot obtain another one. */
export const makeIssueAccessToken =
  ({ clock, idAt, policy, sessions, tokens }: Deps) =>
  async (
    { user, session: { id, kind }, cookie }: Principal,
    { audience }: IssueAccessTokenInput = {},
  ): Promise<SessionToken> => {
    if (audience !== undefined && !policy.tokenAudiences.includes(audience))
      throw invalid('invalid_audience', 'TOKEN_AUDIENCES lacks this audience.');
    if (cookie === undefined) throw restricted('cookie_needed');
    // A session of the console is valid there alone.
    if (kind === 'console') throw invalidToken();
    const session = await sessions.find(user.id, id);
    if (session === undefined || session.endedAt !== null) throw invalidToken();
    const now = clock.now();
    // Tokens whose id has a time before `tokensFrom` are void. A change of the password sets `tokensFrom` to a future time.
    const tokenTime = Math.max(now, session.tokensFrom ?? 0);
    // Until that time the principal, which is cached for up to a second, may have a cookie that the change has voided. Such a
    // cookie has another `changedAt` than the session's, and must not get a token that is valid after the change.
    if (tokenTime > now && session.cookie?.changedAt !== cookie.changedAt) throw cookieReplaced();
    const tokenId = idAt(tokenTime);
    const subject = { userId: user.id, sessionId: id, tokenId, ...(audience !== undefined && { audience }) };
    return { token: await tokens.issue(subject, now, policy.accessTokenSeconds) };
  };
