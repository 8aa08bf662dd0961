import type { Route } from '../route.ts';

const join = (method: string, words: readonly string[]) =>
  method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');

/**
 * Gives each operation a name that no other has: `postAuthLogin` of `POST /api/auth/login`, and `getApiHealth` of
 * `GET /api/health`, since another is called `getHealth` already. Throws when there is none left.
 */
export const makeOperationIds = () => {
  const taken = new Set<string>();
  return ({ method, path }: Pick<Route, 'method' | 'path'>): string => {
    const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
    const short = words.filter((word) => word !== 'api' && word !== 'v1');
    const id = [join(method, short), join(method, words)].find((name) => !taken.has(name));
    if (id === undefined) throw new Error(`No name is left for ${method} ${path}.`);
    taken.add(id);
    return id;
  };
};
