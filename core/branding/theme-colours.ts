import { contrast, type Hex, mixed, toHex, toOklch } from './oklch.ts';

/** The colours of one theme, by purpose. See decision 0097. */
export type Tokens = Readonly<Record<TokenName, Hex>>;

type AccentName = 'accent' | 'onAccent' | 'accentHover' | 'accentSoft' | 'focus';

type GroundName =
  | 'bg'
  | 'surface'
  | 'raised'
  | 'text'
  | 'muted'
  | 'field'
  | 'line'
  | 'danger'
  | 'dangerSoft'
  | 'warn'
  | 'warnSoft'
  | 'good'
  | 'goodSoft';

export type TokenName = GroundName | AccentName;

export interface Themes {
  readonly light: Tokens;
  readonly dark: Tokens;
}

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
} as const;

const DARK = {
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
} as const;

/** The product's own colour, whose themes were designed by hand. */
export const DEFAULT_COLOUR: Hex = '#2f55d4';

const DEFAULT: {
  readonly light: Readonly<Record<AccentName, Hex>>;
  readonly dark: Readonly<Record<AccentName, Hex>>;
} = {
  light: {
    accent: DEFAULT_COLOUR,
    onAccent: '#ffffff',
    focus: DEFAULT_COLOUR,
    accentHover: '#2646b3',
    accentSoft: '#e8edfc',
  },
  dark: {
    accent: '#93abff',
    onAccent: '#0f1424',
    focus: '#93abff',
    accentHover: '#b0c2ff',
    accentSoft: '#1d2744',
  },
};

/** The contrast that text needs (WCAG 2.2, 1.4.3). */
const ENOUGH = 4.5;
const STEP = 0.01;
const HOVER = 0.05;
const SOFT = 0.1;

interface Theme {
  /** The direction of lightness: down on light grounds, up on dark grounds. */
  readonly direction: -1 | 1;
  readonly surface: Hex;
  /** The colours that it must contrast with: its grounds, and the text on it. */
  readonly against: readonly Hex[];
  readonly onAccent: Hex;
}

/** The nearest tone of the colour with enough contrast. Black and white always have enough. */
const readable = (colour: Hex, { direction, against }: Theme): Hex => {
  const isEnough = (tone: Hex) => against.every((ground) => contrast(tone, ground) >= ENOUGH);
  const { lightness, ...rest } = toOklch(colour);
  let tone = colour;
  for (let step = 1; !isEnough(tone) && step <= 100; step += 1)
    tone = toHex({ ...rest, lightness: Math.min(1, Math.max(0, lightness + direction * STEP * step)) });
  return tone;
};

/** The surface tinted with the tone, so slightly that the tone stays readable on it. */
const softOf = (accent: Hex, surface: Hex): Hex => {
  let share = SOFT;
  while (share > 0 && contrast(accent, mixed(accent, surface, share)) < ENOUGH) share -= STEP;
  return mixed(accent, surface, Math.max(0, share));
};

const accentsOf = (colour: Hex, theme: Theme): Readonly<Record<AccentName, Hex>> => {
  const accent = readable(colour, theme);
  const { lightness, ...rest } = toOklch(accent);
  const accentHover = toHex({
    ...rest,
    lightness: Math.min(1, Math.max(0, lightness + theme.direction * HOVER)),
  });
  const accentSoft = softOf(accent, theme.surface);
  return { accent, onAccent: theme.onAccent, accentHover, accentSoft, focus: accent };
};

/** The colours of pages and mails for a brand colour. */
export const themesOf = (colour: Hex): Themes => {
  if (colour === DEFAULT_COLOUR)
    return { light: { ...LIGHT, ...DEFAULT.light }, dark: { ...DARK, ...DEFAULT.dark } };
  const onLight = DEFAULT.light.onAccent;
  const onDark = DEFAULT.dark.onAccent;
  const { bg, surface } = LIGHT;
  const light = accentsOf(colour, {
    direction: -1,
    surface,
    against: [bg, surface, onLight],
    onAccent: onLight,
  });
  const dark = accentsOf(colour, {
    direction: 1,
    surface: DARK.surface,
    against: [DARK.bg, DARK.surface, DARK.raised, onDark],
    onAccent: onDark,
  });
  return { light: { ...LIGHT, ...light }, dark: { ...DARK, ...dark } };
};
