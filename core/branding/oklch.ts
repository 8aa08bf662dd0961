/** A colour as `#rrggbb`, in lower case. */
export type Hex = string;

type Triple = readonly [number, number, number];

/** Lightness from 0 to 1, chroma, and hue in radians, in a space where equal steps look equal (OKLCH). */
export interface Oklch {
  readonly lightness: number;
  readonly chroma: number;
  readonly hue: number;
}

/** Both directions of the transfer function of sRGB (IEC 61966-2-1); components are 0 to 1. */
const toLinear = (component: number): number =>
  component <= 0.04045 ? component / 12.92 : ((component + 0.055) / 1.055) ** 2.4;
const fromLinear = (component: number): number =>
  component <= 0.0031308 ? component * 12.92 : 1.055 * component ** (1 / 2.4) - 0.055;

const linearOf = (hex: Hex): Triple => {
  const component = (at: number) => toLinear(Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  return [component(1), component(3), component(5)];
};

const multiply = (rows: readonly [Triple, Triple, Triple], [a, b, c]: Triple): Triple => {
  const row = ([x, y, z]: Triple) => x * a + y * b + z * c;
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

const mapTriple = ([a, b, c]: Triple, change: (component: number) => number): Triple => [
  change(a),
  change(b),
  change(c),
];

export const toOklch = (hex: Hex): Oklch => {
  const [lightness, a, b] = multiply(TO_LAB, mapTriple(multiply(TO_LMS, linearOf(hex)), Math.cbrt));
  return { lightness, chroma: Math.hypot(a, b), hue: Math.atan2(b, a) };
};

const toLinearSrgb = ({ lightness, chroma, hue }: Oklch): Triple => {
  const lab: Triple = [lightness, chroma * Math.cos(hue), chroma * Math.sin(hue)];
  return multiply(
    FROM_LMS,
    mapTriple(multiply(FROM_LAB, lab), (component) => component ** 3),
  );
};

/** How far a component in linear light may lie outside 0 to 1: less than half a step of 8 bits, so no byte shows it. */
const TOLERANCE = 1e-4;

const isInSrgb = (colour: Oklch): boolean =>
  toLinearSrgb(colour).every((component) => component >= -TOLERANCE && component <= 1 + TOLERANCE);

/** The share of the chroma that one step removes. */
const CHROMA_STEP = 0.02;

/** Reduces the chroma until sRGB can show the colour. */
const fitToSrgb = (colour: Oklch): Oklch => {
  for (let share = 1; share > 0; share -= CHROMA_STEP) {
    const reduced = { ...colour, chroma: colour.chroma * share };
    if (isInSrgb(reduced)) return reduced;
  }
  return { ...colour, chroma: 0 };
};

export const toHex = (colour: Oklch): Hex => {
  const bytes = toLinearSrgb(fitToSrgb(colour)).map((component) =>
    Math.round(fromLinear(Math.min(1, Math.max(0, component))) * 255),
  );
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
};

/** One colour over another with this opacity, blended in sRGB as browsers do. */
export const blend = (over: Hex, under: Hex, opacity: number): Hex => {
  const byte = (hex: Hex, at: number) => Number.parseInt(hex.slice(at, at + 2), 16);
  const blendedByte = (at: number) => Math.round(byte(over, at) * opacity + byte(under, at) * (1 - opacity));
  return `#${[1, 3, 5].map((at) => blendedByte(at).toString(16).padStart(2, '0')).join('')}`;
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
