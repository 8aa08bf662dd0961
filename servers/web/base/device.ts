import { words } from '../text/language.ts';

// The first match counts: most browsers also name their ancestors.
const BROWSERS = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Vivaldi', /\bVivaldi\//],
  ['Yandex', /\bYaBrowser\//],
  ['DuckDuckGo', /\bDuckDuckGo\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chromium', /\bChromium\//],
  ['Chrome', /\b(?:Headless)?Chrome\/|\bCriOS\//],
  ['Safari', /\bVersion\/\S+ .*Safari\//],
  ['curl', /^curl\//],
  ['Node.js', /^node$|^undici$/],
] as const;

const SYSTEMS = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b|\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const;

const LONGEST = 60;

const nameIn = (table: readonly (readonly [string, RegExp])[], text: string) =>
  table.find(([, form]) => form.test(text))?.[0];

/** The name of a device: browser and system where both are known, otherwise its own text, truncated. */
export const deviceName = (userAgent: string | null): string => {
  const { unknownDevice, device } = words().kit;
  if (userAgent === null || userAgent === '') return unknownDevice;
  const browser = nameIn(BROWSERS, userAgent);
  const system = nameIn(SYSTEMS, userAgent);
  if (browser === undefined) return userAgent.slice(0, LONGEST);
  return system === undefined ? browser : device(browser, system);
};
