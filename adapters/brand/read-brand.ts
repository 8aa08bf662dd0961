import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InlineImage } from '../../core/index.ts';
import { ConfigError } from '../config/config-error.ts';
import { faultIn } from './theme-css.ts';

export interface BrandFile {
  readonly type: 'image/svg+xml' | 'image/png';
  readonly bytes: Uint8Array;
}

/** The operator's own files of the look; null where there is none. */
export interface Brand {
  readonly logo: BrandFile | null;
  readonly logoDark: BrandFile | null;
  readonly icon: BrandFile | null;
  readonly mailLogo: InlineImage | null;
  /** Empty where there is none. */
  readonly themeCss: string;
}

export const noBrand: Brand = { logo: null, logoDark: null, icon: null, mailLogo: null, themeCss: '' };

const KIB = 1_024;

/** Every file that may stand there, with the bytes that it may have. */
const FILES: Readonly<Record<string, number>> = {
  ...{ 'logo.svg': 100 * KIB, 'logo.png': 100 * KIB },
  ...{ 'logo-dark.svg': 100 * KIB, 'logo-dark.png': 100 * KIB },
  ...{ 'icon.svg': 100 * KIB, 'icon.png': 100 * KIB },
  ...{ 'mail-logo.png': 20 * KIB, 'theme.css': 20 * KIB },
};

const SETTING = 'BRAND_DIR';
const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

const isWhatItSays = (name: string, bytes: Buffer): boolean => {
  if (name.endsWith('.png')) return bytes.subarray(0, PNG.length).equals(PNG);
  return !name.endsWith('.svg') || /<svg[\s>]/.test(bytes.toString());
};

const faultOf = (name: string, bytes: Buffer): string | undefined => {
  const most = FILES[name] ?? 0;
  if (bytes.length > most) return `has more than ${most / KIB} KiB`;
  if (!isWhatItSays(name, bytes)) return `is no ${name.slice(-3).toUpperCase()} file`;
  return name === 'theme.css' ? faultIn(bytes.toString()) : undefined;
};

/** All files of the folder by name. Hidden ones are those of the system. Throws `ConfigError`. */
const readAll = (folder: string): ReadonlyMap<string, Buffer> => {
  try {
    const names = readdirSync(folder).filter((name) => !name.startsWith('.'));
    return new Map(
      names.map((name) => [
        name,
        // One that may not stand there is not read, whatever it is.
        Object.hasOwn(FILES, name) ? readFileSync(join(folder, name)) : Buffer.alloc(0),
      ]),
    );
  } catch {
    throw new ConfigError([`${SETTING} must be the path of a folder whose files can be read.`]);
  }
};

/** Reads the operator's files. Throws `ConfigError` with a line for each file that is wrong. */
export const readBrand = (folder: string | null): Brand => {
  if (folder === null) return noBrand;
  const files = readAll(folder);
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

  const picture = (name: string): BrandFile | null => {
    const [svg, png] = [files.get(`${name}.svg`), files.get(`${name}.png`)];
    if (svg !== undefined) return { type: 'image/svg+xml', bytes: svg };
    return png === undefined ? null : { type: 'image/png', bytes: png };
  };
  const mailLogo = files.get('mail-logo.png');
  return {
    logo: picture('logo'),
    logoDark: picture('logo-dark'),
    icon: picture('icon'),
    mailLogo: mailLogo === undefined ? null : { cid: 'logo', type: 'image/png', bytes: mailLogo },
    themeCss: files.get('theme.css')?.toString() ?? '',
  };
};
