import { readFileSync } from 'node:fs';
import type { InlineImage } from '../../core/index.ts';
import { ConfigError } from '../config/config-error.ts';
import { lineAt, readFiles } from './operator-folder.ts';

/** The allowed tokens: custom properties of `:root`, for one theme or both. `isAllowed` further limits properties. */
const TOKENS: readonly RegExp[] = [
  /\s+/y,
  // A comment.
  /\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//y,
  /:root(?:\[data-theme="(?:light|dark)"\])?(?=\s*\{)/y,
  /@media\s*\(prefers-color-scheme:\s*(?:light|dark)\)(?=\s*\{)/y,
  // The last property of a block needs no semicolon.
  /--[\w-]+\s*:[^;{}<>@\\]*(?:;|(?=\}))/y,
];

/** CSS functions that fetch an address. */
const FETCHES = /(?:url|src|image|image-set|cross-fade|element)\s*\(/i;

/** A property must be in a block, and must not fetch an address. Other tokens may be anywhere. */
const isAllowed = (token: string, depth: number): boolean =>
  !token.startsWith('--') || (depth > 0 && !FETCHES.test(token));

/** The deepest nesting: a media query for a theme, and `:root` in it. */
const DEEPEST = 2;

/** The first fault of a style sheet of custom properties, with its line; undefined if there is none. */
const faultIn = (css: string): string | undefined => {
  let at = 0;
  const openBraces: number[] = [];
  while (at < css.length) {
    const character = css[at];
    const token = TOKENS.map((pattern) => {
      pattern.lastIndex = at;
      return pattern.exec(css)?.[0];
    }).find((match) => match !== undefined);
    if (token !== undefined && isAllowed(token, openBraces.length)) at += token.length;
    else if (character === '{' && openBraces.length < DEEPEST) {
      openBraces.push(at);
      at += 1;
    } else if (character === '}' && openBraces.pop() !== undefined) at += 1;
    else return `has more than custom properties of :root, in line ${lineAt(css, at)}`;
  }
  const unclosed = openBraces.at(-1);
  return unclosed === undefined
    ? undefined
    : `has a brace that is not closed, in line ${lineAt(css, unclosed)}`;
};

export interface BrandFile {
  readonly type: 'image/svg+xml' | 'image/png';
  readonly bytes: Uint8Array;
}

/** The operator's branding files; null for a file that is missing. */
export interface Brand {
  readonly logo: BrandFile | null;
  readonly logoDark: BrandFile | null;
  readonly icon: BrandFile | null;
  readonly mailLogo: InlineImage | null;
  /** Empty if there is no `theme.css`. */
  readonly themeCss: string;
}

export const noBrand: Brand = { logo: null, logoDark: null, icon: null, mailLogo: null, themeCss: '' };

const KIB = 1_024;

/** The allowed files with their largest sizes in bytes. */
const FILES: Readonly<Record<string, number>> = {
  'logo.svg': 100 * KIB,
  'logo.png': 100 * KIB,
  'logo-dark.svg': 100 * KIB,
  'logo-dark.png': 100 * KIB,
  'icon.svg': 100 * KIB,
  'icon.png': 100 * KIB,
  'mail-logo.png': 20 * KIB,
  'theme.css': 20 * KIB,
};

const SETTING = 'BRAND_DIR';
const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

const isOfItsType = (name: string, bytes: Buffer): boolean => {
  if (name.endsWith('.png')) return bytes.subarray(0, PNG.length).equals(PNG);
  return !name.endsWith('.svg') || /<svg[\s>]/.test(bytes.toString());
};

const faultOf = (name: string, bytes: Buffer): string | undefined => {
  const most = FILES[name] ?? 0;
  if (bytes.length > most) return `has more than ${most / KIB} KiB`;
  if (!isOfItsType(name, bytes)) return `is no ${name.slice(-3).toUpperCase()} file`;
  return name === 'theme.css' ? faultIn(bytes.toString()) : undefined;
};

/** Reads the operator's branding files. Throws `ConfigError` with a line for each wrong file. */
export const readBrand = (folder: string | null): Brand => {
  if (folder === null) return noBrand;
  // A file that is not allowed is not read: it may be of any size.
  const files = readFiles(SETTING, folder, (path, name) =>
    Object.hasOwn(FILES, name) ? readFileSync(path) : Buffer.alloc(0),
  );
  const lines = [...files].flatMap(([name, bytes]) => {
    if (!Object.hasOwn(FILES, name))
      return [`${SETTING}: ${name} is none of ${Object.keys(FILES).join(', ')}.`];
    const fault = faultOf(name, bytes);
    return fault === undefined ? [] : [`${SETTING}: ${name} ${fault}.`];
  });
  for (const name of ['logo', 'logo-dark', 'icon'])
    if (files.has(`${name}.svg`) && files.has(`${name}.png`))
      lines.push(`${SETTING}: ${name}.svg and ${name}.png must not both be there.`);
  if (lines.length > 0) throw new ConfigError(lines);

  const imageNamed = (name: string): BrandFile | null => {
    const svg = files.get(`${name}.svg`);
    const png = files.get(`${name}.png`);
    if (svg !== undefined) return { type: 'image/svg+xml', bytes: svg };
    return png === undefined ? null : { type: 'image/png', bytes: png };
  };
  const mailLogo = files.get('mail-logo.png');
  return {
    logo: imageNamed('logo'),
    logoDark: imageNamed('logo-dark'),
    icon: imageNamed('icon'),
    mailLogo: mailLogo === undefined ? null : { cid: 'logo', type: 'image/png', bytes: mailLogo },
    themeCss: files.get('theme.css')?.toString() ?? '',
  };
};
