import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { root } from './support/tree/root.ts';

const LAYERS = ['core', 'adapters', 'servers', 'cli', 'test'];
const list = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
    (name) => `${folder}/${name.replaceAll('\\', '/')}`,
  );
const tree = [...LAYERS, 'docs/examples'].flatMap(list);
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** A path from the root of the repository, or any name ending in `.ts`, such as `audit.ts` or `openapi/headers.ts`. */
const NAMED =
  /(?<![\w./@<*-])(?:(?:core|adapters|servers|cli|test|docs)\/[\w./*<>-]*\w|(?:[\w-]+\/)*\w[\w.-]*\.ts)\b/g;
/** `test/…/<room>.test.ts` stands for many files; a build generates the others. */
const isPattern = (name: string) => /[*<>]|openapi-?|generated/.test(name);

/** Names without a file. A name may be the beginning of several paths, as in `npm test -- core/accounts/codes`. */
const lost = (text: string): readonly string[] =>
  [...text.matchAll(NAMED)]
    .map(([name]) => name)
    .filter((name) => !isPattern(name))
    .filter((name) => !existsSync(join(root, name)))
    .filter((name) => !tree.some((path) => path.endsWith(`/${name}`) || path.startsWith(`${name}.`)));

/** The comments of a program, and text in strings that looks like a comment. */
const commentsOf = (text: string) => [...text.matchAll(/\/\*[\s\S]*?\*\/|\/\/ [^\n]*/g)].join('\n');

describe('A path in documents and comments', () => {
  const documents = [...readdirSync(root), ...list('docs')].filter(
    (path) => path.endsWith('.md') && path !== 'CHANGELOG.md',
  );
  /** Without the tables of the map, which shorten paths; the test of the map checks them. */
  const writtenPart = (path: string): string => read(path).split('<!-- Made by `npm run map`')[0] ?? '';

  for (const path of documents) {
    it(`exists: ${path}`, () => {
      expect(lost(writtenPart(path))).to.deep.equal([]);
    });
  }

  for (const layer of LAYERS) {
    it(`exists in the comments of ${layer}/`, () => {
      const programs = tree.filter((path) => path.startsWith(`${layer}/`) && /\.(?:ts|mjs)$/.test(path));
      expect(programs).to.not.be.empty;
      const found = programs.flatMap((path) => lost(commentsOf(read(path))).map((name) => ({ path, name })));
      expect(found).to.deep.equal([]);
    });
  }

  it('is reported if it does not exist', () => {
    const gone = ['core/accounts/gone.ts', 'adapters/gone/', 'gone.ts', 'accounts/gone.ts', 'docs/gone.md'];
    for (const name of gone) expect(lost(`\`${name}\``), name).to.have.length(1);
  });

  it('names one test file in commands that wait for a debugger', () => {
    const commands = ['CONTRIBUTING.md', 'docs/debugging.md'].flatMap((document) => [
      ...read(document).matchAll(/npm test -- (?:--servers )?(\S+)(?: -g '[^']*')? --inspect/g),
    ]);
    expect(commands.length).to.be.greaterThan(4);
    const tests = tree.filter((path) => path.endsWith('.test.ts'));
    for (const [command, word = ''] of commands) {
      expect(
        tests.filter((test) => test.includes(word)),
        command,
      ).to.have.length(1);
    }
  });
});
