import { importsOf } from '../support/tree/imports.ts';
import { filesIn, read } from './sources.ts';

/** The parts of the core that routes call: their folders, and the functions that make them. */
const CREATORS: ReadonlyMap<string, readonly [folder: string, creator: string]> = new Map([
  ['accounts', ['accounts', 'createAccounts']],
  ['passkeys', ['accounts/passkeys', 'makePasskeyCalls']],
  ['providers', ['accounts/providers', 'makeProviderCalls']],
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

/** The `make…` function behind a member: it stands beside the member, or beside the object that has the member. */
const makerOf = (texts: readonly string[], member: string): string | undefined => {
  const first = (pattern: RegExp) => texts.map((text) => pattern.exec(text)?.[1]).find(Boolean) ?? '';
  const value = first(new RegExp(`^\\s+${member}: (.*)$`, 'm'));
  const [maker] = /\bmake\w+/.exec(value) ?? [];
  const [object = 'none'] = /^\w+/.exec(value) ?? [];
  return maker ?? (first(new RegExp(`\\b${object}(?: =|:) (make\\w+)`)) || undefined);
};

const partFiles = (part: string): readonly string[] => {
  const [folder, creator] = CREATORS.get(part) ?? [];
  if (creator === undefined) return [];
  const files = filesIn(`core/${folder}`);
  const made = files.filter((path) => read(path).includes(`export const ${creator} =`));
  return [...made, ...files.filter((path) => path.endsWith('/kit.ts'))];
};

/** The file of a use case, such as that of `accounts.logIn`; undefined for a call of another part. */
export const useCaseFile = (call: string): string | undefined => {
  const [part = '', member = ''] = call.split('.');
  const files = partFiles(part);
  const maker = makerOf(files.map(read), member);
  return maker === undefined ? files[0] : (exporterAmong(files, maker) ?? files[0]);
};
