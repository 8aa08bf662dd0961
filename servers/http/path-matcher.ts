const PARAMETER = /\\\{\w+\\\}/g;

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Whether a path is one of these, which have their parameters as `{name}`: one part each, and not empty. */
export const makeTakes = (paths: readonly string[]): ((path: string) => boolean) => {
  const literal = new Set(paths.filter((path) => !path.includes('{')));
  const patterns = [...new Set(paths)]
    .filter((path) => path.includes('{'))
    .map((path) => new RegExp(`^${escaped(path).replace(PARAMETER, '[^/]+')}$`));
  return (path) => literal.has(path) || patterns.some((pattern) => pattern.test(path));
};
