import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { root } from './support/tree/root.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');
/** Names in code are joined words: `own parts` is `OwnParts` and `own-parts.ts`. */
const joined = (text: string) => text.toLowerCase().replaceAll(/[\s…-]/g, '');

const PATH = /`((?:core|adapters|servers|cli|test|docs)\/[^`\s]*)`/g;
const pathsIn = (text: string) =>
  [...text.matchAll(PATH)].map(([, path = '']) => path).filter((path) => !/[<*]|npm /.test(path));
const entries = read('docs/glossary.md')
  .split(/^(?=- |## )/m)
  .filter((part) => part.startsWith('- '));

describe('The glossary', () => {
  it('names for each word a file that has it', () => {
    expect(entries.length).to.be.greaterThan(50);
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

describe('A path in the documents for those who change the product', () => {
  const names = ['core', 'adapters', 'servers', 'cli', 'test'].flatMap((layer) =>
    readdirSync(join(root, layer), { recursive: true, encoding: 'utf8' }),
  );

  for (const document of ['CONTRIBUTING.md', 'docs/architecture.md', 'docs/debugging.md']) {
    it(`is there: ${document}`, () => {
      const text = read(document);
      for (const path of pathsIn(text)) expect(existsSync(join(root, path)), path).to.equal(true);
      for (const [, file = ''] of text.matchAll(/`([a-z][a-z-]*\.ts)`/g)) {
        expect(
          names.some((name) => `/${name}`.endsWith(`/${file}`)),
          file,
        ).to.equal(true);
      }
    });
  }

  it('is one test file where a debugger is to wait', () => {
    const commands = ['CONTRIBUTING.md', 'docs/debugging.md'].flatMap((document) => [
      ...read(document).matchAll(/npm test -- (?:--servers )?(\S+)(?: -g '[^']*')? --inspect/g),
    ]);
    expect(commands.length).to.be.greaterThan(4);
    const tests = names.filter((name) => name.endsWith('.test.ts')).map((name) => `test/${name}`);
    for (const [command, word = ''] of commands) {
      expect(
        tests.filter((test) => test.includes(word)),
        command,
      ).to.have.length(1);
    }
  });
});
