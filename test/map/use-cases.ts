import { importsOf } from '../support/tree/imports.ts';
import { filesIn, read } from './sources.ts';

/** The parts of the core that routes call: their folders, and the functions that make them. */
const CREATORS: ReadonlyMap<string, readonly [folder: string, creator: string]> = new Map([
  ['accounts', ['accounts', 'createAccounts']],
  ['passkeys', ['accounts', 'makePasskeyCalls']],
  ['providers', ['accounts', 'makeProviderCalls']],
  ['files', ['files', 'createFiles']],
  ['billing', ['billing', 'createBilling']],
]);

/** The file that exports a name, among those that some files import. */
const exporterAmong = (paths: readonly string[], name: string): string | undefined =>
  paths
    .flatMap((path) => importsOf({ path, text: read(path) }))
    .filter((target) => target?.startsWith('core/'))
    .map(String)
    .find((target) => new RegExp(`^export const ${name}\\b`, 'm').test(read(target)));

/**
 * The `make…` function behind a member: it stands beside the member, at the beginning of its row, or beside the object
 * that has the member. A brace begins the member's rules for arguments.
 */
const makerOf = (texts: readonly string[], member: string): string | undefined => {
  const first = (pattern: RegExp) => texts.map((text) => pattern.exec(text)?.[1]).find(Boolean) ?? '';
  const value = first(new RegExp(`^\\s+${member}: (?:\\[\\s*)?([^{A-Z[\\s].*)$`, 'm'));
  const [maker] = /\bmake\w+/.exec(value) ?? [];
  const [object = 'none'] = /^\w+/.exec(value) ?? [];
  return maker ?? (first(new RegExp(`\\b${object}(?: =|:) (make\\w+)`)) || undefined);
};

const partFiles = (part: string): readonly string[] => {
  const [folder, creator] = CREATORS.get(part) ?? [];
  if (creator === undefined) return [];
  const files = filesIn(`core/${folder}`);
  const made = files.filter((path) => read(path).includes(`export const ${creator} =`));
  return [...made, ...files.filter((path) => path.endsWith('/deps.ts'))];
};

/** Whether the member is made in place, at the beginning of a line or row of its own. */
const isMadeIn = (path: string, member: string): boolean =>
  new RegExp(`^\\s+${member}: (?:\\[\\s*)?(?:async )?\\(`, 'm').test(read(path));

/**
 * The file of a use case, such as that of `accounts.logIn`; undefined for a call of another part. Throws where it is not
 * found.
 */
export const useCaseFile = (call: string): string | undefined => {
  const [part = '', member = ''] = call.split('.');
  if (!CREATORS.has(part)) return undefined;
  const files = partFiles(part);
  const maker = makerOf(files.map(read), member);
  const file =
    maker === undefined ? files.find((path) => isMadeIn(path, member)) : exporterAmong(files, maker);
  if (file === undefined) throw new Error(`The use case ${call} is not found.`);
  return file;
};
