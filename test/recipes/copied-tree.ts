import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '../embedding/programs.ts';
import { root } from '../support/tree/root.ts';

/** The sources of the product, and of the programs that write generated files. */
const SOURCES = ['core', 'adapters', 'servers', 'cli', 'test', 'docs/settings.md', 'package.json'];

/** A copy of the sources in which a test follows a recipe of docs/map.md. */
export interface CopiedTree {
  /** Inserts text before the first match. `changed` counts the files that a recipe changes. */
  insert(file: string, before: string, text: string): void;
  /** Adds a file. */
  add(file: string, text: string): void;
  /** The files added and changed by hand. */
  readonly changed: ReadonlySet<string>;
  read(file: string): string;
  /** Compiles the copy. Throws with the compiler's messages. */
  build(): Promise<void>;
  /** Runs a program of the copy and returns its output. Throws with its standard error if it fails. */
  run(args: readonly string[], settings?: Readonly<Record<string, string>>): Promise<string>;
}

/** Copies the sources, or some of them: the others are neither compiled nor run. */
export const copyTree = (folder: string, sources: readonly string[] = SOURCES): CopiedTree => {
  for (const source of sources) cpSync(join(root, source), join(folder, source), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const changed = new Set<string>();
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');

  const run: CopiedTree['run'] = (args, settings) => runProgram(folder, args, settings);
  return {
    insert(file, before, text) {
      const [start = '', ...rest] = read(file).split(before);
      if (rest.length === 0) throw new Error(`${file} has no ${before}`);
      changed.add(file);
      writeFileSync(join(folder, file), `${start}${text}${before}${rest.join(before)}`);
    },
    add(file, text) {
      changed.add(file);
      writeFileSync(join(folder, file), text);
    },
    changed,
    read,
    async build() {
      const settings = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
      const compilerOptions = { ...settings.compilerOptions, declaration: false, sourceMap: false };
      const include = ['core', 'adapters', 'servers', 'cli', 'test/settings'];
      writeFileSync(
        join(folder, 'tsconfig.json'),
        JSON.stringify({ compilerOptions, include, exclude: settings.exclude }),
      );
      rmSync(join(folder, 'dist'), { recursive: true, force: true });
      await run(['node_modules/typescript/bin/tsc', '-p', '.']);
    },
    run,
  };
};
