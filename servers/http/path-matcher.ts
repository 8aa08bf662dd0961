/** A parameter of a template after `escaped`: `\{name\}`. */
const PARAMETER = /\\\{\w+\\\}/g;

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Tests whether a path matches one of the templates. A `{name}` in a template stands for one segment that is not empty. */
export const makePathMatcher = (paths: readonly string[]): ((path: string) => boolean) => {
  const literal = new Set(paths.filter((path) => !path.includes('{')));
  const patterns = [...new Set(paths)]
    .filter((path) => path.includes('{'))
    .map((path) => new RegExp(`^${escaped(path).replace(PARAMETER, '[^/]+')}$`));
  return (path) => literal.has(path) || patterns.some((pattern) => pattern.test(path));
};
