import type { Digest, Random } from '../../ports.ts';

/**
 * What a session is kept by, a refresh token or the value of a cookie, reads `<user id>.<session id>.<secret>.<mark>`:
 * 256 random bits, and a keyed mark over all before it. The mark tells one of ours from one that was made up, and what
 * it is for: neither is good in place of the other. Only its SHA-256 is stored.
 */
const FORM = /^([0-9a-f-]{36})\.([0-9a-f-]{36})\.[A-Za-z0-9_-]{43}\.[A-Za-z0-9_-]{22}$/;

const MARK = 22;

/** What the secret is, by the purpose of its mark. */
export type SecretKind = 'refresh-mark' | 'cookie-mark';

export const marked = (digest: Digest, kind: SecretKind, unmarked: string): string =>
  `${unmarked}.${digest.keyed(kind, unmarked).slice(0, MARK)}`;

export const newSecret = (
  { digest, random }: { readonly digest: Digest; readonly random: Random },
  kind: SecretKind,
  userId: string,
  sessionId: string,
): string => marked(digest, kind, `${userId}.${sessionId}.${random.text(32)}`);

/** The ids in a secret. They are not verified yet. */
export interface NamedSession {
  readonly userId: string;
  readonly sessionId: string;
}

/** Whose it says it is; undefined when it has not the form of one. */
export const readSecret = (secret: string): NamedSession | undefined => {
  const [, userId, sessionId] = FORM.exec(secret) ?? [];
  return userId === undefined || sessionId === undefined ? undefined : { userId, sessionId };
};

/** Whether we made it as one of this kind, whatever became of it since. */
export const isOurs = (digest: Digest, kind: SecretKind, secret: string): boolean => {
  const cut = secret.lastIndexOf('.');
  const mark = secret.slice(cut + 1);
  return digest
    .everyKeyed(kind, secret.slice(0, cut))
    .some((right) => digest.equal(right.slice(0, MARK), mark));
};

/** The part that names a secret without giving it away. */
export const markOf = (secret: string): string => secret.slice(-MARK);
