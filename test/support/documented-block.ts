import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './tree/root.ts';

/** The first block of a language in a document. */
export const blockIn = (document: string, language: string): string => {
  const text = readFileSync(join(root, document), 'utf8');
  const [, block] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(text) ?? [];
  if (block === undefined) throw new Error(`${document} shows no block of ${language}.`);
  return block;
};
