import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/tree/root.ts';

export interface Recipe {
  readonly title: string;
  /** The files that its numbered steps name, in their order; `<…>` stands for a name that one chooses. */
  readonly files: readonly string[];
}

/** The recipes of docs/map.md: each step begins with its file. */
export const recipes = (): readonly Recipe[] =>
  readFileSync(join(root, 'docs/map.md'), 'utf8')
    .split(/^(?=#{2,3} )/m)
    .flatMap((section) => {
      const [, title] = /^### (.*)/.exec(section) ?? [];
      const files = [...section.matchAll(/^\d\. `([^`]+)`/gm)].map(([, file = '']) => file);
      return title === undefined || files.length === 0 ? [] : [{ title, files }];
    });

/** The files of one recipe. */
export const recipeFiles = (title: string): readonly string[] => {
  const found = recipes().find((recipe) => recipe.title === title);
  if (found === undefined) throw new Error(`docs/map.md has no recipe "${title}".`);
  return found.files;
};
