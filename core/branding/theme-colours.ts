import { blend, contrast, type Hex, type Oklch, toHex, toOklch } from './oklch.ts';

const LIGHT = {
  bg: '#f6f7f9',
  surface: '#ffffff',
  raised: '#ffffff',
  text: '#14181f',
  muted: '#545d6b',
  field: '#7c8695',
  line: '#d5dae1',
  danger: '#b3261e',
  dangerSoft: '#fdecea',
  warn: '#7a4f00',
  warnSoft: '#fff3d6',
  good: '#1b6b3a',
  goodSoft: '#e5f5ea',
};

const DARK: typeof LIGHT = {
  bg: '#0f1216',
  surface: '#181c22',
  raised: '#20252d',
  text: '#e8ebf0',
  muted: '#a3acba',
  field: '#7f8a99',
  line: '#333b47',
  danger: '#ff9d94',
  dangerSoft: '#3a1a18',
  warn: '#f2c267',
  warnSoft: '#33260c',
  good: '#7fd6a0',
  goodSoft: '#12301d',
};

/** The product's own colour, whose themes were designed by hand. */
export const DEFAULT_COLOUR: Hex = '#2f55d4';

const LIGHT_ACCENTS = {
  accent: DEFAULT_COLOUR,
  onAccent: '#ffffff',
  focus: DEFAULT_COLOUR,
  accentHover: '#2646b3',
  accentSoft: '#e8edfc',
};

const DARK_ACCENTS: typeof LIGHT_ACCENTS = {
  accent: '#93abff',
  onAccent: '#0f1424',
  focus: '#93abff',
  accentHover: '#b0c2ff',
  accentSoft: '#1d2744',
};

export type TokenName = keyof typeof LIGHT | keyof typeof LIGHT_ACCENTS;

/** The colours of one theme, by purpose. See decision 0097. */
export type Tokens = Readonly<Record<TokenName, Hex>>;

export interface Themes {
  readonly light: Tokens;
  readonly dark: Tokens;
}

/** The contrast that text needs (WCAG 2.2, 1.4.3). */
const TEXT_CONTRAST = 4.5;
/** The step by which a lightness or an opacity, each 0 to 1, approaches enough contrast. */
const STEP = 0.01;
/** By how much the lightness of an accent changes on hover. */
const HOVER_STEP = 0.05;
/** The opacity of the accent's tint, at most. */
const TINT_OPACITY = 0.1;

/** The signs of a change in lightness: colours must be darker than light grounds, and lighter than dark grounds. */
const DARKER = -1;
const LIGHTER = 1;
type Direction = typeof DARKER | typeof LIGHTER;

const changeLightness = ({ lightness, ...rest }: Oklch, by: number): Hex =>
  toHex({ ...rest, lightness: Math.min(1, Math.max(0, lightness + by)) });

/** The nearest tone of the colour in this direction with enough contrast. The last one, black or white, always has it. */
const makeReadable = (colour: Hex, against: readonly Hex[], direction: Direction): Hex => {
  const isEnough = (tone: Hex) => against.every((ground) => contrast(tone, ground) >= TEXT_CONTRAST);
  const original = toOklch(colour);
  let tone = colour;
  for (let step = 1; !isEnough(tone) && step * STEP <= 1; step += 1)
    tone = changeLightness(original, direction * STEP * step);
  return tone;
};

/** The surface tinted with the tone, so slightly that the tone stays readable on it. */
const tintOf = (accent: Hex, surface: Hex): Hex => {
  let opacity = TINT_OPACITY;
  while (opacity > 0 && contrast(accent, blend(accent, surface, opacity)) < TEXT_CONTRAST) opacity -= STEP;
  return blend(accent, surface, Math.max(0, opacity));
};

const themeOf = (colour: Hex, ground: typeof LIGHT, onAccent: Hex, direction: Direction): Tokens => {
  const { bg, surface, raised } = ground;
  const accent = makeReadable(colour, [bg, surface, raised, onAccent], direction);
  const accentHover = changeLightness(toOklch(accent), direction * HOVER_STEP);
  return { ...ground, accent, onAccent, accentHover, accentSoft: tintOf(accent, surface), focus: accent };
};

/** The colours of pages and mails for a brand colour. */
export const themesOf = (colour: Hex): Themes =>
  colour === DEFAULT_COLOUR
    ? { light: { ...LIGHT, ...LIGHT_ACCENTS }, dark: { ...DARK, ...DARK_ACCENTS } }
    : {
        light: themeOf(colour, LIGHT, LIGHT_ACCENTS.onAccent, DARKER),
        dark: themeOf(colour, DARK, DARK_ACCENTS.onAccent, LIGHTER),
      };
