import type { Digest, Random } from '../../ports.ts';

/**
 * A refresh token reads `<user id>.<session id>.<secret>.<mark>`: 256 random bits, and a keyed mark over all before
 * it, by which an old one of ours is told from one that was made up; only its SHA-256 is stored.
 */
const FORM = /^([0-9a-f-]{36})\.([0-9a-f-]{36})\.[A-Za-z0-9_-]{43}\.[A-Za-z0-9_-]{22}$/;

const MARK = 22;

const marked = (digest: Digest, unmarked: string) =>
  `${unmarked}.${digest.keyed('refresh-mark', unmarked).slice(0, MARK)}`;

export const newRefreshToken = (
  { digest, random }: { digest: Digest; random: Random },
  userId: string,
  sessionId: string,
): string => marked(digest, `${userId}.${sessionId}.${random.text(32)}`);

/** The ids in a token. They are not verified yet. */
export interface NamedSession {
  readonly userId: string;
  readonly sessionId: string;
}

/** Whose it says it is; undefined when it has not the form of one. */
export const readRefreshToken = (token: string): NamedSession | undefined => {
  const [, userId, sessionId] = FORM.exec(token) ?? [];
  return userId === undefined || sessionId === undefined ? undefined : { userId, sessionId };
};

/** Whether we made it, whatever became of it since. */
export const isOurs = (digest: Digest, token: string): boolean => {
  const cut = token.lastIndexOf('.');
  const mark = token.slice(cut + 1);
  return digest
    .everyKeyed('refresh-mark', token.slice(0, cut))
    .some((right) => digest.equal(right.slice(0, MARK), mark));
};

/**
 * The tokens that may have followed `token` where repeats are answered: derived from it, so that the answer can be
 * given again without being stored. The first is the one to give out now.
 * See decision 0010.
 */
export const successorsOf = (digest: Digest, token: string): readonly [string, ...string[]] => {
  const prefix = token.split('.').slice(0, 2).join('.');
  const derived = digest
    .everyKeyed('refresh-successor', token)
    .map((secret) => marked(digest, `${prefix}.${secret}`));
  const [first = '', ...others] = derived;
  return [first, ...others];
};
