import type { MailTexts } from '../../core/index.ts';
import { type Brand, readBrand } from '../brand/read-brand.ts';
import { ConfigError } from '../config/config-error.ts';
import type { Config } from '../config.ts';
import { readMailTexts } from '../mail-templates/read-mail-texts.ts';

/** What the operator gives in folders. */
export interface OwnFiles {
  readonly brand: Brand;
  readonly mailTexts: MailTexts;
}

const tried = <T>(lines: string[], read: () => T): T | undefined => {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    lines.push(...error.lines);
    return undefined;
  }
};

/** Reads the folders that the settings name. Throws `ConfigError` with all that is wrong in any of them. */
export const readOwnFiles = ({
  brandDir,
  mailTemplatesDir,
}: Pick<Config, 'brandDir' | 'mailTemplatesDir'>): OwnFiles => {
  const lines: string[] = [];
  const brand = tried(lines, () => readBrand(brandDir));
  const mailTexts = tried(lines, () => readMailTexts(mailTemplatesDir, brand?.mailLogo ?? null));
  if (brand === undefined || mailTexts === undefined) throw new ConfigError(lines);
  return { brand, mailTexts };
};
