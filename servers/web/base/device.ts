import { words } from '../text/language.ts';

// The first match counts: most browsers also name the browsers that they descend from.
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

// The first match counts here, too: iPhones also name Mac OS X, and Android names Linux.
const SYSTEMS = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b|\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const;

const LONGEST_NAME = 60;

const nameIn = (table: readonly (readonly [string, RegExp])[], text: string) =>
  table.find(([, pattern]) => pattern.test(text))?.[0];

/** The name of a device: its browser, with the system if that is known; for other browsers the start of `User-Agent`. */
export const deviceName = (userAgent: string | null): string => {
  const { unknownDevice, device } = words().kit;
  if (userAgent === null || userAgent === '') return unknownDevice;
  const browser = nameIn(BROWSERS, userAgent);
  const system = nameIn(SYSTEMS, userAgent);
  if (browser === undefined) return userAgent.slice(0, LONGEST_NAME);
  return system === undefined ? browser : device(browser, system);
};
