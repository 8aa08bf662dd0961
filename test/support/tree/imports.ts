import { posix } from 'node:path';

/** A TypeScript file as the rules see it; `path` from the folder of package.json, with forward slashes. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

const COMMENTS = /('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;

/** The text without comments; strings stay. */
export const withoutComments = (text: string): string => text.replace(COMMENTS, (_, kept) => kept ?? ' ');

const FORMS = [
  // import x from '…', import type { x } from '…', export * from '…'
  /\b(?:import|export)\b[^'"`;=()]*?\bfrom\s*(['"])([^'"]+)\1/g,
  // import '…', and not the end of a name such as 'jose/key/import' or 'files.import'
  /(?<![/.])\bimport\s*(['"])([^'"]+)\1/g,
  // import('…') as a call or in a type, require('…')
  /\b(?:import|require)\s*\(\s*(['"`])([^'"`$]+)\1/g,
];
const UNREADABLE = /\b(?:import|require)\s*\(\s*(?!['"])(?!`[^`$]*`)/g;

/**
 * What a file imports: paths from the folder of package.json for relative ones, else names of packages. Undefined
 * stands for one whose target is computed, which no rule can judge.
 */
export const importsOf = ({ path, text }: SourceFile): readonly (string | undefined)[] => {
  const code = withoutComments(text);
  const specifiers = FORMS.flatMap((form) => [...code.matchAll(form)].map((match) => match[2] ?? ''));
  const unreadable = [...code.matchAll(UNREADABLE)].map(() => undefined);
  return [
    ...specifiers.map((target) =>
      target.startsWith('.') ? posix.join(posix.dirname(path), target) : target,
    ),
    ...unreadable,
  ];
};
