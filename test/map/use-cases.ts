import { importsOf } from '../support/tree/imports.ts';
import { filesIn, read } from './sources.ts';

/** The parts of the core that routes call: their folders, and the names of the declarations of their calls. */
const PARTS: ReadonlyMap<string, readonly [folder: string, declaration: string]> = new Map([
  ['accounts', ['accounts', 'accountCalls']],
  ['passkeys', ['accounts', 'passkeyCalls']],
  ['providers', ['accounts', 'providerCalls']],
  ['files', ['files', 'createFiles']],
  ['billing', ['billing', 'createBilling']],
]);

/** The file that exports a name, among the imports of these files. */
const exporterAmong = (paths: readonly string[], name: string): string | undefined =>
  paths
    .flatMap((path) => importsOf({ path, text: read(path) }))
    .filter((target) => target?.startsWith('core/'))
    .map(String)
    .find((target) => new RegExp(`^export const ${name}\\b`, 'm').test(read(target)));

/**
 * The `make…` function of a member: in the member's value, at the beginning of its row, or in the value of the object that has
 * the member. A brace begins the member's rules for arguments.
 */
const makerOf = (texts: readonly string[], member: string): string | undefined => {
  const first = (pattern: RegExp) => texts.map((text) => pattern.exec(text)?.[1]).find(Boolean) ?? '';
  const value = first(new RegExp(`^\\s+${member}: (?:\\[\\s*)?([^{A-Z[\\s].*)$`, 'm'));
  const [maker] = /\bmake\w+/.exec(value) ?? [];
  const [object = 'none'] = /^\w+/.exec(value) ?? [];
  return maker ?? (first(new RegExp(`\\b${object}(?: =|:) (make\\w+)`)) || undefined);
};

interface Source {
  readonly path: string;
  readonly text: string;
}

/** The declaration of the part's calls, and the files with its dependencies. */
const sourcesOf = ([folder, declaration]: readonly [string, string]): readonly Source[] => {
  const files = filesIn(`core/${folder}`).map((path): Source => ({ path, text: read(path) }));
  const whole = new RegExp(`^(?:export )?const ${declaration}\\b[\\s\\S]*?^\\};`, 'm');
  const declarations = files.flatMap(({ path, text }) =>
    (whole.exec(text) ?? []).map((declarationText): Source => ({ path, text: declarationText })),
  );
  return [...declarations, ...files.filter(({ path }) => path.endsWith('/deps.ts'))];
};

/** Whether the member's function is written in place, at the beginning of a line or row. */
const isMadeIn = (text: string, member: string): boolean =>
  new RegExp(`^\\s+${member}: (?:\\[\\s*)?(?:async )?\\(`, 'm').test(text);

/**
 * The file of a use case, such as that of `accounts.logIn`; undefined for a call of another part. Throws if the file is not
 * found.
 */
export const useCaseFile = (call: string): string | undefined => {
  const [partName = '', member = ''] = call.split('.');
  const part = PARTS.get(partName);
  if (part === undefined) return undefined;
  const sources = sourcesOf(part);
  const maker = makerOf(
    sources.map(({ text }) => text),
    member,
  );
  const file =
    maker === undefined
      ? sources.find(({ text }) => isMadeIn(text, member))?.path
      : exporterAmong(
          sources.map(({ path }) => path),
          maker,
        );
  if (file === undefined) throw new Error(`The use case ${call} is not found.`);
  return file;
};
