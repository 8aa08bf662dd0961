import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './tree/root.ts';

/** The first code block of a language in a document. */
export const blockIn = (document: string, language: string): string => {
  const text = readFileSync(join(root, document), 'utf8');
  const [, block] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(text) ?? [];
  if (block === undefined) throw new Error(`${document} has no code block in ${language}.`);
  return block;
};
