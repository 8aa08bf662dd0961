import { readFile } from 'node:fs/promises';
import { invalid } from '../../../core/errors.ts';
import { bytesOf, type HashConfig } from './hashes.ts';

const wrong = (what: string) => invalid('wrong_hash_config', `The file of --hash-config ${what}.`);

const MEMBER = /^\s*"?(\w+)"?\s*[:=]\s*"?([A-Za-z0-9+/=_-]+)"?\s*,?\s*$/gm;

const wholeOf = (name: string, text: string | undefined, most: number): number => {
  const number = /^[1-9]\d{0,2}$/.test(text ?? '') ? Number(text) : Number.NaN;
  if (number <= most) return number;
  throw wrong(`must have ${name}, from 1 to ${most}`);
};

const keyOf = (name: string, text: string | undefined): Uint8Array => {
  const bytes = bytesOf(text);
  if (bytes === undefined) throw wrong(`must have ${name} in Base64`);
  return bytes;
};

/**
 * The hash configuration of a Firebase project, as its console shows it (`hash_config { algorithm: SCRYPT, … }`) or as
 * JSON with the same names. Throws `invalid` (`wrong_hash_config`), which quotes nothing of it.
 */
export const parseHashConfig = (text: string): HashConfig => {
  // Each member on a line of its own, whichever way it came.
  const lines = text.replace(/[{},]/g, '\n');
  const members = new Map([...lines.matchAll(MEMBER)].map(([, name = '', value = '']) => [name, value]));
  const algorithm = members.get('algorithm') ?? 'SCRYPT';
  if (algorithm !== 'SCRYPT') throw wrong('is not of the algorithm SCRYPT');
  return {
    signerKey: keyOf('base64_signer_key', members.get('base64_signer_key')),
    saltSeparator: keyOf('base64_salt_separator', members.get('base64_salt_separator')),
    rounds: wholeOf('rounds', members.get('rounds'), 99),
    memCost: wholeOf('mem_cost', members.get('mem_cost'), 99),
  };
};

export const readHashConfig = async (file: string): Promise<HashConfig> =>
  parseHashConfig(await readFile(file, 'utf8'));
