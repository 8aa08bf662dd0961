import type { Route } from '../route.ts';

const join = (method: string, words: readonly string[]) =>
  method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');

/**
 * Gives each operation a unique name: `postAuthLogin` for `POST /api/auth/login`, and `getApiHealth` for `GET
 * /api/health`, since `GET /health` has the name `getHealth`. Throws if no name is left.
 */
export const makeOperationIds = () => {
  const usedIds = new Set<string>();
  return ({ method, path }: Pick<Route, 'method' | 'path'>): string => {
    const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
    const short = words.filter((word) => word !== 'api' && word !== 'v1');
    const id = [join(method, short), join(method, words)].find((name) => !usedIds.has(name));
    if (id === undefined) throw new Error(`No name is left for ${method} ${path}.`);
    usedIds.add(id);
    return id;
  };
};
