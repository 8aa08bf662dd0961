import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { Setting } from './declare-setting.ts';

/** Settings as text, before they are parsed. */
export interface RawSettings {
  readonly values: Readonly<Record<string, string>>;
  /** How an error line names a setting whose value comes from a file. */
  readonly labels: Readonly<Record<string, string>>;
  /** The paths that `NAME_FILE` settings name, by the setting without `_FILE`. */
  readonly files: Readonly<Record<string, string>>;
  /** One line for each file that cannot be read, for a malformed `.env`, and for each setting given twice or not as a string. */
  readonly problems: readonly string[];
  /** Every name in the environment and in `.env`, settings of this product or not. */
  readonly names: readonly string[];
}

type Variables = Readonly<Record<string, string | undefined>>;

const LINE = /^\s*(?:#.*|(?:export\s+)?[A-Za-z_]\w*\s*=.*)?$/;

/** Checked here because versions of Node.js parse a line without "=" differently: some join it with the next line. */
const isWellFormed = (text: string): boolean => {
  // A quoted value may have several lines, so it is removed before each line is tested.
  const withoutQuoted = text.replace(/(=[ \t]*)(["'`])[\s\S]*?\2/g, '$1');
  return withoutQuoted.split('\n').every((line) => LINE.test(line));
};

const readDotEnv = (path: string): { readonly variables: Variables; readonly problem?: string } => {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return Object(error).code === 'ENOENT'
      ? { variables: {} }
      : { variables: {}, problem: '.env must be a file that can be read.' };
  }
  const lines = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  return isWellFormed(lines)
    ? { variables: parseEnv(lines) }
    : { variables: {}, problem: '.env must hold lines of the form NAME=value and comments.' };
};

/**
 * Merges the environment and the `.env` file in `cwd` (null: no file); the environment takes precedence. A secret may be
 * given as `NAME_FILE`, the path of a file that holds it. An empty setting counts as not set; a `neverEmpty` one stays, and is
 * refused when it is parsed.
 */
export const readEnvironment = (
  env: Variables,
  cwd: string | null,
  settings: readonly Pick<Setting<unknown>, 'name' | 'secret' | 'neverEmpty'>[],
): RawSettings => {
  const file = cwd === null ? { variables: {} } : readDotEnv(join(cwd, '.env'));
  const values: Record<string, string> = {};
  const labels: Record<string, string> = {};
  const files: Record<string, string> = {};
  const problems: string[] = file.problem === undefined ? [] : [file.problem];

  const readSecretFile = (name: string, path: string) => {
    try {
      files[name] = resolve(cwd ?? '', path);
      values[name] = readFileSync(files[name], 'utf8').replace(/(?:\r?\n)+$/, '');
      labels[name] = `What ${name}_FILE names`;
    } catch {
      problems.push(`${name}_FILE must be the path of a file that can be read.`);
    }
  };

  for (const { name, secret, neverEmpty } of settings) {
    const fileName = `${name}_FILE`;
    const textIn = (variables: Variables) =>
      variables[name] === '' && !neverEmpty ? undefined : variables[name];
    const pathIn = (variables: Variables) =>
      secret && variables[fileName] !== '' ? variables[fileName] : undefined;
    const source = [env, file.variables].find(
      (variables) => textIn(variables) !== undefined || pathIn(variables) !== undefined,
    );
    if (source === undefined) continue;
    const text = textIn(source);
    const path = pathIn(source);
    // A program without types may give a number.
    const isMistyped = (value: unknown) => value !== undefined && typeof value !== 'string';
    if (isMistyped(text) || isMistyped(path)) {
      problems.push(`${isMistyped(text) ? name : fileName} must be a string.`);
      continue;
    }
    if (text !== undefined && path !== undefined)
      problems.push(`${name} must not be set together with ${fileName}.`);
    else if (path !== undefined) readSecretFile(name, path);
    else if (text !== undefined) values[name] = text.trim();
  }
  return { values, labels, files, problems, names: [...Object.keys(env), ...Object.keys(file.variables)] };
};
