import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { root } from './support/tree/root.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');
/** Names in code are joined words: `known address` is `knownAddress`, and `known-address` in a file's name. */
const joined = (text: string) => text.toLowerCase().replaceAll(/[\s…-]/g, '');

const PATH = /`((?:core|adapters|servers|cli|test|docs)\/[^`\s]*)`/g;
const pathsIn = (text: string) => [...text.matchAll(PATH)].map(([, path = '']) => path);
const entries = read('docs/glossary.md')
  .split(/^(?=- |## )/m)
  .filter((part) => part.startsWith('- '));

describe('The glossary', () => {
  it('names for each word a file that has it', () => {
    expect(entries.length).to.be.greaterThan(20);
    for (const entry of entries) {
      const files = pathsIn(entry);
      expect(files, entry).to.not.be.empty;
      const texts = files.map((file) => joined(file + read(file)));
      for (const [, word = ''] of entry.matchAll(/\*\*(.+?)\*\*/g)) {
        expect(
          texts.some((text) => text.includes(joined(word))),
          word,
        ).to.equal(true);
      }
    }
  });

  it('has each word once', () => {
    const words = entries.map((entry) => entry.slice(0, entry.indexOf(':')));
    expect(words).to.deep.equal([...new Set(words)]);
  });
});
