import { readFile } from 'node:fs/promises';
import type { PasswordBlocklist } from '../../core/accounts/ports.ts';
import { invalid } from '../../core/errors.ts';
import { isDressed, isPredictable } from './predictable.ts';

export interface LoadablePasswordBlocklist extends PasswordBlocklist {
  /** Reads the list, once, if it was not read yet. Throws `invalid` (`unreadable_blocklist`). */
  load(): Promise<void>;
}

/**
 * 49,000 passwords from public leaks, most used first. The build copies them here out of @zxcvbn-ts/language-common. They
 * are read as data: a module would stay in memory.
 */
const readBuiltin = async () => {
  const text = await readFile(new URL('./passwords/passwords.json', import.meta.url), 'utf8');
  return JSON.parse(text) as readonly string[];
};

const unreadable = (why: string) =>
  invalid('unreadable_blocklist', `PASSWORD_BLOCKLIST is not a readable list of passwords: ${why}.`);

const readList = async (path: string) => {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(error.code ?? 'unknown error');
  });
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw unreadable('it is not UTF-8');
  }
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  if (lines.length === 0) throw unreadable('it is empty');
  return lines;
};

/** What a person would call the same password typed with another shift key or keyboard. */
const folded = (password: string) => password.normalize('NFKC').toLowerCase();

/** Nothing is listed. */
const none: LoadablePasswordBlocklist = { load: async () => {}, has: async () => false };

/**
 * The list that `PASSWORD_BLOCKLIST` names: our own, with a check for predictable passwords; none; or a UTF-8 file with
 * one password a line. A user's own words count with either list. Letter case and compatibility forms (NFKC) do not
 * matter. The list is read at the first use and kept, at about 55 bytes a password.
 */
export const makeBlocklist = (setting: string): LoadablePasswordBlocklist => {
  if (setting === 'off') return none;
  let listed: Promise<ReadonlySet<string>> | undefined;

  const read = async (): Promise<ReadonlySet<string>> => {
    const passwords = setting === 'builtin' ? await readBuiltin() : await readList(setting);
    return new Set(passwords.map(folded));
  };
  const passwords = () => {
    listed ??= read().catch((error) => {
      listed = undefined;
      throw error;
    });
    return listed;
  };

  return {
    load: async () => {
      await passwords();
    },
    has: async (password, own) => {
      const [text, list] = [folded(password), await passwords()];
      const words = new Set(own.map(folded));
      if (list.has(text) || words.has(text) || isDressed(text, words, 1)) return true;
      return setting === 'builtin' && isPredictable(text, list);
    },
  };
};
