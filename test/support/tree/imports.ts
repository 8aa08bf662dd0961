import { posix } from 'node:path';

/** A TypeScript file; `path` is relative to the folder of package.json, with forward slashes. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

const COMMENTS = /('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;

/** The text without comments; strings are left unchanged. */
export const withoutComments = (text: string): string => text.replace(COMMENTS, (_, string) => string ?? ' ');

const FORMS = [
  // import x from '…', import type { x } from '…', export * from '…'
  /\b(?:import|export)\b[^'"`;=()]*?\bfrom\s*(['"])([^'"]+)\1/g,
  // import '…', but not the end of a name such as 'jose/key/import' or 'files.import'
  /(?<![/.])\bimport\s*(['"])([^'"]+)\1/g,
  // import('…') as a call or in a type, require('…')
  /\b(?:import|require)\s*\(\s*(['"`])([^'"`$]+)\1/g,
];
const UNREADABLE = /\b(?:import|require)\s*\(\s*(?!['"])(?!`[^`$]*`)/g;

/**
 * The imports of a file: relative ones as paths from the folder of package.json, others as names of packages. Undefined
 * stands for an import whose target is computed, which no rule can judge.
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
