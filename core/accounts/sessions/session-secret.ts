import type { Digest, Random } from '../../ports.ts';

/**
 * A session secret is a refresh token or the value of a cookie: `<user id>.<session id>.<secret>.<MAC>`, with 256 random
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

/** The ids in a secret that is not verified yet. */
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
