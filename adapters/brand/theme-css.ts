/** Custom properties of the root, of one theme or both, and nothing that could fetch or hide anything. */
const PARTS: readonly RegExp[] = [
  /\s+/y,
  /\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//y,
  /:root(?:\[data-theme="(?:light|dark)"\])?(?=\s*\{)/y,
  /@media\s*\(prefers-color-scheme:\s*(?:light|dark)\)(?=\s*\{)/y,
  /--[A-Za-z0-9-]+\s*:[^;{}<>@\\]*;/y,
];

/** Functions whose argument is an address. */
const FETCHES = /(?:url|src|image|image-set|cross-fade|element)\s*\(/i;

const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length;

/** The deepest nesting: a theme, and the root in it. */
const DEEPEST = 2;

/** What is wrong with a style sheet of custom properties, with the line; undefined where nothing is. */
export const faultIn = (css: string): string | undefined => {
  let at = 0;
  const open: number[] = [];
  while (at < css.length) {
    const sign = css[at];
    const found = PARTS.map((part) => {
      part.lastIndex = at;
      return part.exec(css)?.[0];
    }).find((part) => part !== undefined);
    const fits =
      found !== undefined && (found.startsWith('--') ? open.length > 0 && !FETCHES.test(found) : true);
    if (fits) at += found.length;
    else if (sign === '{' && open.length < DEEPEST) {
      open.push(at);
      at += 1;
    } else if (sign === '}' && open.pop() !== undefined) at += 1;
    else return `has more than custom properties of :root, in line ${lineAt(css, at)}`;
  }
  const last = open.at(-1);
  return last === undefined ? undefined : `has a brace that is not closed, in line ${lineAt(css, last)}`;
};
