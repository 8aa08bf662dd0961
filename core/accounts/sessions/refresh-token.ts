import type { Digest } from '../../ports.ts';
import { marked } from './marked-secret.ts';

/**
 * The tokens that may have followed `token` where repeats are answered: derived from it, so that the answer can be
 * given again without being stored. The first is the one to give out now.
 * See decision 0010.
 */
export const successorsOf = (digest: Digest, token: string): readonly [string, ...string[]] => {
  const prefix = token.split('.').slice(0, 2).join('.');
  const derived = digest
    .everyKeyed('refresh-successor', token)
    .map((secret) => marked(digest, 'refresh-mark', `${prefix}.${secret}`));
  const [first = '', ...others] = derived;
  return [first, ...others];
};
