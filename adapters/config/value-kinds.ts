import { accessSync, constants, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Kind, SettingContext } from './declare-setting.ts';
import { type SecretRule, strongSecrets } from './strong-secrets.ts';
import * as read from './value-parsers.ts';

/** Secrets that are set, or the file in `DATA_DIR` in which the first start generates one. */
export type Secrets = { readonly values: readonly string[] } | { readonly madeIn: string };

/** A key file. `made`: no file was named, so the first start generates this one. */
export interface KeysFile {
  readonly path: string;
  readonly made: boolean;
}

const HIDDEN = 'set, not shown';
/** A text, not empty, without control characters. */
const WITHOUT_CONTROLS = /^\P{Cc}+$/u;

export const reads = <T>(must: string, reader: (text: string) => T | undefined): Kind<T> => ({
  must,
  read: reader,
});

export const text = (must: string, form = WITHOUT_CONTROLS): Kind<string> =>
  reads(must, (value) => (form.test(value) ? value : undefined));

export const oneOf = <const T extends string>(...words: readonly T[]): Kind<T> =>
  reads(`${words.slice(0, -1).join(', ')} or ${words.at(-1)}`, (value) =>
    words.find((word) => word === value),
  );

const eitherOf = (must: string, yes: string, no: string): Kind<boolean> => ({
  must,
  read: (value) => (value === yes || value === no ? value === yes : undefined),
  show: (on) => (on ? yes : no),
});

export const onOrOff = eitherOf('on or off', 'on', 'off');
export const trueOrFalse = eitherOf('true or false', 'true', 'false');
export const zeroOrOne = eitherOf('0 or 1', '1', '0');

export const integer = (least: number, most: number): Kind<number> =>
  reads(`a whole number from ${least} to ${most}`, read.wholeNumber(least, most));

export const port = integer(0, 65_535);
export const host = reads('an IP address or a host name', read.host);
export const webAddress = reads('an http or https address without credentials or fragment', read.webAddress);
export const baseAddress = reads(
  'an http or https address without credentials, query or fragment',
  read.baseAddress,
);
export const origin = (example: string): Kind<string> =>
  reads(`an http or https origin such as ${example}`, read.origin);

const secret = <T>(kind: Kind<T>): Kind<T> => ({ ...kind, secret: true, show: () => HIDDEN });

/** An address that begins with one of at least two schemes. */
export const serverAddress = (...schemes: readonly string[]): Kind<string> => {
  const list = schemes.map((scheme) => `${scheme}://`).join(', ');
  // The last comma becomes `or`.
  const must = `an address that begins with ${list.replace(/, (?=[^,]*$)/, ' or ')}`;
  return secret(reads(must, read.serverAddress(...schemes)));
};

export const token = (must: string): Kind<string> => secret(text(must, /^[\x21-\x7e]+$/u));
export const secretText = (must: string, reader: (text: string) => string | undefined): Kind<string> =>
  secret(reads(must, reader));
export const headers = secret(
  reads('of the form name=value,name=value, with values percent-encoded', read.headerList),
);

/** Secrets separated by commas. */
export const secrets = (rule: SecretRule): Kind<readonly string[]> => {
  const { most, bytes } = rule;
  // A rule allows ten secrets or two.
  const count = most === 10 ? 'secrets separated by commas' : 'one or two secrets separated by a comma';
  const must = `${count}, each at least ${bytes} random bytes of printable ASCII without spaces, not a sample or a pattern`;
  // An empty secret is refused: if it counted as not set, the server would work with a secret that the operator did not mean.
  return { ...secret(reads(must, strongSecrets(rule))), neverEmpty: true };
};

/** Secrets that the first start generates if they are not set. */
export const secretsOrMade = (rule: SecretRule): Kind<Secrets> => {
  const kind = secrets(rule);
  return {
    ...kind,
    read: (written, cwd) => {
      const values = kind.read(written, cwd);
      return values && { values };
    },
    show: (value) => ('values' in value ? HIDDEN : `made in ${value.madeIn}`),
  };
};

export const isReadableFile = (path: string): boolean => {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
};

export const folder: Kind<string> = {
  must: 'the path of a folder',
  read: (value, cwd) => (WITHOUT_CONTROLS.test(value) ? resolve(cwd, value) : undefined),
};

export const keysFile: Kind<KeysFile> = {
  must: 'the path of a file that can be read',
  read: (value, cwd) =>
    WITHOUT_CONTROLS.test(value) ? { path: resolve(cwd, value), made: false } : undefined,
  show: ({ path, made }) => (made ? `${path} (made at first start)` : path),
};

/** The default of key files: the first start makes them in `DATA_DIR/keys`, except in production. */
export const madeKeysFile = (file: string) => ({
  byDefault: `made in \`keys/${file}\``,
  orElse: ({ dataDir }: SettingContext): KeysFile => ({ path: join(dataDir, 'keys', file), made: true }),
  check: ({ path, made }: KeysFile, { production }: SettingContext) => {
    if (made) return production && 'be set in production';
    return !isReadableFile(path) && 'be the path of a file that can be read';
  },
});

/** The default of secrets: the first start makes one in a file of `DATA_DIR`, except in production. */
export const madeSecret = (file: string) => ({
  byDefault: `made in \`${file}\``,
  orElse: ({ dataDir }: SettingContext): Secrets => ({ madeIn: join(dataDir, file) }),
  check: (value: Secrets, { production }: SettingContext) =>
    production && 'madeIn' in value && 'be set in production',
});
