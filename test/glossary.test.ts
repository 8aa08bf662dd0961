import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { withoutComments } from './support/tree/imports.ts';
import { root } from './support/tree/root.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');
/** The spelling in code: `known address` is `knownAddress`, and `known-address` in the name of a file. */
const joined = (text: string) => text.toLowerCase().replaceAll(/[\s…-]/g, '');

const PATH = /`((?:core|adapters|servers|cli|test|docs)\/[^`\s]*)`/g;
const pathsIn = (text: string) => [...text.matchAll(PATH)].map(([, path = '']) => path);
const entries = read('docs/glossary.md')
  .split(/^(?=- |## )/m)
  .filter((part) => part.startsWith('- '));

describe('The glossary', () => {
  it('names for each word a file that uses it', () => {
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

  it('defines each word once', () => {
    const words = entries.map((entry) => entry.slice(0, entry.indexOf(':')));
    expect(words).to.deep.equal([...new Set(words)]);
  });

  it('requires “turn on” and “turn off” in every document and text', () => {
    const switching = /\bswitch(?:es|ed|ing)?\b(?: [^\s.;:]+){0,3} (?:on|off)\b/gi;
    const filesIn = (folder: string, end: RegExp) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => end.test(name))
        .map((name) => join(folder, name));
    const documents = filesIn('docs', /\.md$/).filter((file) => !file.endsWith('glossary.md'));
    const code = ['core', 'adapters', 'servers', 'cli'].flatMap((folder) =>
      filesIn(folder, /\.(?:tsx?|mjs)$/),
    );
    expect(code.length).to.be.above(500);
    const wrong = [...documents, ...code].flatMap((file) => {
      const text = file.endsWith('.md') ? read(file) : withoutComments(read(file));
      return (text.replaceAll(/\s+/g, ' ').match(switching) ?? []).map((words) => `${file}: ${words}`);
    });
    expect(wrong).to.deep.equal([]);
  });
});
