import { type Themes, type TokenName, type Tokens, themesOf } from '../../../core/branding/index.ts';

/** `onAccent` as `--on-accent`. */
const property = (name: string) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

const declarations = (tokens: Partial<Tokens>): string =>
  Object.entries(tokens)
    .map(([name, value]) => `${property(name)}: ${value};`)
    .join(' ');

/** Custom properties with a light and a dark value, between which the browser chooses by `color-scheme`. */
export const colourScheme = ({ light, dark }: Themes): string =>
  (Object.keys(light) as TokenName[])
    .map((name) => `${property(name)}: light-dark(${light[name]}, ${dark[name]});`)
    .join(' ');

/** The tokens that follow from the brand's colour. */
const BRAND_TOKENS = ['accent', 'onAccent', 'accentHover', 'accentSoft', 'focus'] as const;

const pickTokens = (tokens: Tokens, names: readonly TokenName[]): Partial<Tokens> =>
  Object.fromEntries(names.map((name) => [name, tokens[name]]));

/** Custom properties: dark values follow the system unless `data-theme` of the root overrides it. */
const themeRules = (light: Partial<Tokens>, dark: Partial<Tokens>): string =>
  [
    `:root { color-scheme: light; ${declarations(light)} }`,
    `@media (prefers-color-scheme: dark) { :root { color-scheme: dark; ${declarations(dark)} } }`,
    `:root[data-theme="light"] { color-scheme: light; ${declarations(light)} }`,
    `:root[data-theme="dark"] { color-scheme: dark; ${declarations(dark)} }`,
    '',
  ].join('\n');

/**
 * The style sheet of a brand's colour, in the cascade layer `theme`, which overrides the layer `kit` of the pages. `operatorCss`
 * follows in the same layer and overrides the brand's colours.
 */
export const themeCss = (colour: string, operatorCss = ''): string => {
  const { light, dark } = themesOf(colour);
  const brandCss = themeRules(pickTokens(light, BRAND_TOKENS), pickTokens(dark, BRAND_TOKENS));
  return `@layer kit, theme;\n@layer theme {\n${brandCss}${operatorCss}\n}\n`;
};

const RULES = `
* { box-sizing: border-box; }
:root { font: 16px/1.5 system-ui, sans-serif; }
body { --edge: 24px; margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: var(--bg); color: var(--text); }
header, main, footer { padding: 8px max(var(--edge), (100% - 26rem) / 2); }
header { display: flex; align-items: center; min-height: 64px; border-bottom: 1px solid var(--line); background: var(--surface); }
.brand { display: inline-flex; align-items: center; gap: 12px; min-height: 44px; min-width: 0; font-size: 18px; font-weight: 600; color: var(--text); text-decoration: none; }
.brand:hover { color: var(--text); }
.brand span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.brand i { flex: none; width: 14px; height: 14px; border-radius: 3px; background: var(--accent); rotate: 45deg; }
.brand img { display: block; height: 32px; max-width: 160px; }
footer { display: flex; flex-wrap: wrap; gap: 0 24px; align-items: center; min-height: 60px; color: var(--muted); font-size: 14px; line-height: 20px; }
footer a { padding: 12px 0; color: inherit; }
main { flex: 1; padding-block: 48px; }
h1 { font-size: 28px; line-height: 34px; font-weight: 600; margin: 0 0 16px; overflow-wrap: anywhere; }
h2 { font-size: 18px; line-height: 26px; font-weight: 600; margin: 0 0 4px; overflow-wrap: anywhere; }
section { background: var(--surface); border: 1px solid var(--line); border-radius: 12px; padding: 32px; margin: 0 0 16px; }
p { margin: 0 0 12px; overflow-wrap: anywhere; }
p:last-child { margin: 0; }
a { color: var(--accent); }
a:hover { color: var(--accent-hover); }
.price { font-size: 22px; line-height: 28px; font-weight: 600; }
.note { color: var(--muted); font-size: 14px; line-height: 20px; }
code { font: 13px/18px ui-monospace, monospace; }
label { display: block; font-size: 14px; font-weight: 600; line-height: 20px; margin: 0 0 12px; }
input { display: block; width: 100%; min-height: 44px; font: inherit; font-size: 16px; font-weight: 400; padding: 8px 12px; margin-top: 4px;
  border: 1px solid var(--field); border-radius: 6px; background: var(--surface); color: var(--text); }
button, .button { display: inline-block; font: inherit; font-weight: 600; min-height: 44px; padding: 9px 16px; border: 1px solid transparent; border-radius: 6px; background: var(--accent); color: var(--on-accent); text-decoration: none; cursor: pointer; }
button:hover, .button:hover { background: var(--accent-hover); color: var(--on-accent); }
button.plain { background: transparent; border-color: var(--field); color: var(--text); }
button.grave { background: transparent; border-color: currentColor; color: var(--danger); }
button.plain:hover, button.grave:hover { background: var(--bg); color: inherit; }
button.grave:hover { color: var(--danger); }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
.buttons { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 16px; }
form.whole button { width: 100%; margin-top: 4px; }
@media (max-width: 479.9px) { body { --edge: 16px; } main { padding-block: 24px; } section { padding: 24px 16px; } }
@media (forced-colors: active) { button, .button { border-color: ButtonText; } }
`;

/** Only in a comment may the operator's checked file contain `<`, and `</style>` there would end the element. */
const withoutComments = (css: string): string => css.replaceAll(/\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g, '');

/** The style sheet of the small pages, with custom properties of the operator's own. */
export const pageStyle = ({ light, dark }: Themes, operatorCss = ''): string =>
  `\n${themeRules(light, dark)}${withoutComments(operatorCss)}${RULES}`;
