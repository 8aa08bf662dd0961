import type { Digest, Random } from '../../ports.ts';
import { optional, text } from '../../schema.ts';
import type { Deps } from '../deps.ts';
import type { Session, SessionCookie } from '../session.ts';

/**
 * A session secret is a refresh token or the value of a cookie: `<user id>.<session id>.<secret>.<MAC>`, with a secret of 256
 * bits. The MAC proves that we issued it, and for which purpose: a refresh token is not valid as a cookie value, nor the
 * reverse. Only the SHA-256 of the whole text is stored.
 */
const FORM = /^([0-9a-f-]{36})\.([0-9a-f-]{36})\.[A-Za-z0-9_-]{43}\.[A-Za-z0-9_-]{22}$/;

const MAC_LENGTH = 22;

/** The kind of a session secret: the purpose of its MAC. */
export type SecretKind = 'refresh-mark' | 'cookie-mark';

export const withMac = (digest: Digest, kind: SecretKind, content: string): string =>
  `${content}.${digest.keyed(kind, content).slice(0, MAC_LENGTH)}`;

export const newSessionSecret = (
  { digest, random }: { readonly digest: Digest; readonly random: Random },
  kind: SecretKind,
  userId: string,
  sessionId: string,
): string => withMac(digest, kind, `${userId}.${sessionId}.${random.text(32)}`);

export interface SessionIds {
  readonly userId: string;
  readonly sessionId: string;
}

/** Reads the ids in a secret, which may be forged; undefined if it is malformed. */
export const readSecret = (secret: string): SessionIds | undefined => {
  const [, userId, sessionId] = FORM.exec(secret) ?? [];
  return userId === undefined || sessionId === undefined ? undefined : { userId, sessionId };
};

/** Whether we issued the secret for this purpose; it may have expired since. */
export const hasValidMac = (digest: Digest, kind: SecretKind, secret: string): boolean => {
  const lastDot = secret.lastIndexOf('.');
  const mac = secret.slice(lastDot + 1);
  return digest
    .everyKeyed(kind, secret.slice(0, lastDot))
    .some((expected) => digest.equal(expected.slice(0, MAC_LENGTH), mac));
};

/** The MAC of a secret, which identifies it without revealing it. */
export const macOf = (secret: string): string => secret.slice(-MAC_LENGTH);

export const ACCESS_TOKEN = text({
  description: 'The access token, a JWT: for `Authorization: Bearer`',
  examples: ['eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCIsImtpZCI6IjEifQ.eyJzdWIiOiIwMTk5YTBiMSJ9.c2lnbmF0dXJl'],
});

export const REFRESH_TOKEN = text({
  description: 'Valid once, for 30 days',
  examples: [
    '0199a0b1-5c3e-7d42-9f10-6b2c8e4a7d31.0199a0b1-77aa-7c01-8e55-2f1b9c3d4e5f.YW4gZXhhbXBsZSBvZiBhIHNlY3JldCBvZiAyNTYgYml.ZXhhbXBsZSBvZiBhIE1BQw',
  ],
});

/** The cookie that a server sets for a session. */
export interface NewCookie {
  readonly value: string;
  /** Whole seconds until the session's end. */
  readonly maxAge: number;
}

/** The secrets by which the client keeps the session: an access token with a refresh token, or the value of a cookie. */
export type SessionTokens =
  | { readonly transport: 'tokens'; readonly token: string; readonly refreshToken: string }
  | { readonly transport: 'cookie'; readonly cookie: NewCookie };

/** The tokens in a response over HTTP. For a session in a cookie both are absent: a header sets the cookie. */
export const SESSION_TOKENS = { token: optional(ACCESS_TOKEN), refreshToken: optional(REFRESH_TOKEN) };

/** Makes a cookie value, and its record for the session. The value with `previousDigest` stays valid a moment longer. */
export const makeCookieValue = (
  { digest, random }: Pick<Deps, 'digest' | 'random'>,
  { userId, id, endsAt }: Pick<Session, 'userId' | 'id' | 'endsAt'>,
  changedAt: number,
  previousDigest: string | null,
): { readonly cookie: SessionCookie; readonly newCookie: NewCookie } => {
  const value = newSessionSecret({ digest, random }, 'cookie-mark', userId, id);
  return {
    cookie: { digest: digest.sha256(value), previousDigest, changedAt },
    newCookie: { value, maxAge: Math.max(1, Math.floor((endsAt - changedAt) / 1000)) },
  };
};

/** The tokens of a session in a cookie: the cookie alone. */
export const tokensInCookie = (cookie: NewCookie): SessionTokens => ({ transport: 'cookie', cookie });
