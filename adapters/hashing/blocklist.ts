import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type { PasswordBlocklist } from '../../core/accounts/ports.ts';
import { invalid } from '../../core/errors.ts';
import { isPredictable, isVariantOfWord } from './predictable-passwords.ts';

export interface LoadablePasswordBlocklist extends PasswordBlocklist {
  /** Reads the list if it was not read yet. Throws `invalid` (`unreadable_blocklist`). */
  load(): Promise<void>;
}

/** Removes differences of letter case and compatibility forms (NFKC). */
const fold = (password: string) => password.normalize('NFKC').toLowerCase();

/** A context word counts however short it is. */
const SHORTEST_CONTEXT_WORD = 1;

/**
 * 49,000 passwords from public leaks, one a line. The build copies them here out of @zxcvbn-ts/language-common. They are
 * read as data: the source of a module would stay in memory beside them.
 */
const readBuiltin = async (): Promise<ReadonlySet<string>> => {
  const compressed = await readFile(new URL('./passwords/passwords.txt.br', import.meta.url));
  const text = String(await promisify(brotliDecompress)(compressed));
  return new Set(text.trimEnd().split('\n').map(fold));
};

const unreadable = (why: string) =>
  invalid('unreadable_blocklist', `PASSWORD_BLOCKLIST is not a readable list of passwords: ${why}.`);

const readList = async (path: string): Promise<ReadonlySet<string>> => {
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
  return new Set(lines.map(fold));
};

/** Reads a list once; again after a failure. */
const makeLoad = (read: () => Promise<ReadonlySet<string>>) => {
  let loading: Promise<ReadonlySet<string>> | undefined;
  return () => {
    loading ??= read().catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
};

/** Every product in a process shares the built-in list. */
const loadBuiltin = makeLoad(readBuiltin);

const none: LoadablePasswordBlocklist = { load: async () => {}, has: async () => false };

/**
 * The list that `PASSWORD_BLOCKLIST` names: the built-in list with a check for predictable passwords; none; or a UTF-8 file
 * with one password a line. Context words count with either list. Letter case and compatibility forms (NFKC) do not matter.
 * The list is read at the first use and stays in memory, at about 55 bytes a password.
 */
export const makeBlocklist = (setting: string): LoadablePasswordBlocklist => {
  if (setting === 'off') return none;
  const passwords = setting === 'builtin' ? loadBuiltin : makeLoad(() => readList(setting));

  return {
    load: async () => {
      await passwords();
    },
    has: async (password, contextWords) => {
      const text = fold(password);
      const list = await passwords();
      const words = new Set(contextWords.map(fold));
      if (list.has(text) || words.has(text)) return true;
      if (isVariantOfWord(text, words, SHORTEST_CONTEXT_WORD)) return true;
      return setting === 'builtin' && isPredictable(text, list);
    },
  };
};
