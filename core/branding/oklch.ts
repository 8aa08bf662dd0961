/** A colour as `#rrggbb`, in lower case. */
export type Hex = string;

type Three = readonly [number, number, number];

/** Lightness from 0 to 1, chroma, and hue in radians, in a space where equal steps look equal (OKLCH). */
export interface Oklch {
  readonly lightness: number;
  readonly chroma: number;
  readonly hue: number;
}

/** The transfer function of sRGB and its inverse (IEC 61966-2-1); a part is 0 to 1. */
const toLinear = (part: number): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
const fromLinear = (part: number): number =>
  part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055;

const linearOf = (hex: Hex): Three => {
  const part = (at: number) => toLinear(Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  return [part(1), part(3), part(5)];
};

const multiply = (rows: readonly [Three, Three, Three], [a, b, c]: Three): Three => {
  const row = ([x, y, z]: Three) => x * a + y * b + z * c;
  return [row(rows[0]), row(rows[1]), row(rows[2])];
};

// The matrices of OKLab for linear sRGB, as its author gives them (B. Ottosson, A perceptual color space for image processing).
const TO_LMS = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
] as const;
const TO_LAB = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
] as const;
const FROM_LAB = [
  [1, 0.3963377774, 0.2158037573],
  [1, -0.1055613458, -0.0638541728],
  [1, -0.0894841775, -1.291485548],
] as const;
const FROM_LMS = [
  [4.0767416621, -3.3077115913, 0.2309699292],
  [-1.2684380046, 2.6097574011, -0.3413193965],
  [-0.0041960863, -0.7034186147, 1.707614701],
] as const;

const each = ([a, b, c]: Three, change: (part: number) => number): Three => [change(a), change(b), change(c)];

export const toOklch = (hex: Hex): Oklch => {
  const [lightness, a, b] = multiply(TO_LAB, each(multiply(TO_LMS, linearOf(hex)), Math.cbrt));
  return { lightness, chroma: Math.hypot(a, b), hue: Math.atan2(b, a) };
};

const toLinearSrgb = ({ lightness, chroma, hue }: Oklch): Three => {
  const lab: Three = [lightness, chroma * Math.cos(hue), chroma * Math.sin(hue)];
  return multiply(
    FROM_LMS,
    each(multiply(FROM_LAB, lab), (part) => part ** 3),
  );
};

/** By how much a part in linear light may leave 0 to 1: less than half a step of 8 bits, so no byte shows it. */
const NEARLY = 1e-4;

const isInSrgb = (colour: Oklch): boolean =>
  toLinearSrgb(colour).every((part) => part >= -NEARLY && part <= 1 + NEARLY);

/** The share of the chroma that one step removes. */
const CUT = 0.02;

/** The colour with as much of its chroma as sRGB can show. */
const fitted = (colour: Oklch): Oklch => {
  for (let share = 1; share > 0; share -= CUT) {
    const cut = { ...colour, chroma: colour.chroma * share };
    if (isInSrgb(cut)) return cut;
  }
  return { ...colour, chroma: 0 };
};

export const toHex = (colour: Oklch): Hex => {
  const bytes = toLinearSrgb(fitted(colour)).map((part) =>
    Math.round(fromLinear(Math.min(1, Math.max(0, part))) * 255),
  );
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
};

/** One colour over another with this opacity, blended in sRGB as browsers do. */
export const mixed = (over: Hex, under: Hex, opacity: number): Hex => {
  const byte = (hex: Hex, at: number) => Number.parseInt(hex.slice(at, at + 2), 16);
  const part = (at: number) => Math.round(byte(over, at) * opacity + byte(under, at) * (1 - opacity));
  return `#${[1, 3, 5].map((at) => part(at).toString(16).padStart(2, '0')).join('')}`;
};

const luminance = (hex: Hex): number => {
  const [red, green, blue] = linearOf(hex);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** The contrast ratio of two colours, 1 to 21 (WCAG 2.2). */
export const contrast = (first: Hex, second: Hex): number => {
  const a = luminance(first);
  const b = luminance(second);
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
};
