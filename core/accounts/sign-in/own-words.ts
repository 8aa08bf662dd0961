/** Whose password it is: what a stranger who knows the account would try first. */
export interface PasswordOwner {
  readonly email: string;
  readonly displayName: string | null;
}

/** Shorter ones stand in too many passwords by chance. */
const SHORTEST = 3;

const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}]+/u;

/** A name as it is, without what stands between its words, and each of these. */
const spellings = (name: string): readonly string[] => {
  const words = name.normalize('NFKC').split(BETWEEN_WORDS);
  return [name, words.join(''), ...words];
};

/**
 * The words that no list has: the product's name, the email with its parts, and the display name.
 * See decision 0009.
 */
export const ownWords = (productName: string, { email, displayName }: PasswordOwner): readonly string[] => {
  const [local = '', domain = ''] = email.split('@');
  const labels = domain.split('.').slice(0, -1);
  const names = [productName, local, ...labels, displayName ?? ''].flatMap(spellings);
  return [email, domain, ...names].filter(({ length }) => length >= SHORTEST);
};
