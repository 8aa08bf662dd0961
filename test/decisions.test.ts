import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { root } from './support/tree/root.ts';

const folder = join(root, 'docs/decisions');
const records = readdirSync(folder).filter((name) => name !== 'README.md');
const numbers = new Set(records.map((name) => name.slice(0, 4)));
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

/** The rows of the list in the README: number, file and title of a record, and the numbers merged into it. */
const listed = [
  ...read('README.md').matchAll(/^- \[(\d{4})\]\(([^)]+)\) (.*?)(?: \(with (\d{4}(?:, \d{4})*)\))?$/gm),
].map(([, number, file, title, merged]) => ({
  line: [number, file, title],
  merged: merged?.split(', ') ?? [],
}));

const HEADINGS = ['Context', 'Options rejected', 'Decision', 'Consequences'];
const MOST_WORDS = 650;

/** `decision 0012`, and links into the folder from other documents or from one record to another. */
const CITATION = /\bdecisions? (\d{4})\b|\bdecisions\/(\d{4}-[a-z0-9-]+\.md)|\]\((\d{4}-[a-z0-9-]+\.md)/g;

const PLACES = ['core', 'adapters', 'servers', 'cli', 'test', 'docs'];
const texts = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...PLACES.flatMap((place) =>
    readdirSync(join(root, place), { recursive: true, encoding: 'utf8' }).map((name) => `${place}/${name}`),
  ).filter((name) => /\.(?:ts|mjs|md)$/.test(name) && !name.includes('node_modules')),
];

describe('The decision records', () => {
  it('have each number from 0001 on exactly once, as a record or merged into a record', () => {
    const form = /^(\d{4})-[a-z0-9]+(?:-[a-z0-9]+)*\.md$/;
    const kept = records.map((name) => Number(form.exec(name)?.[1]));
    const merged = listed.flatMap(({ merged }) => merged);
    const all = [...kept, ...merged.map(Number)].toSorted((a, b) => a - b);
    expect(all).to.deep.equal(all.map((_, index) => index + 1));
  });

  for (const name of records) {
    it(`have a title, four headings and at most a page: ${name}`, () => {
      const text = read(name);
      expect(text).to.match(new RegExp(`^# ${name.slice(0, 4)}\\. \\S`));
      expect([...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)).to.deep.equal(HEADINGS);
      for (const section of text.split(/^## .*$/m).slice(1)) expect(section.trim()).to.not.equal('');
      expect(text.split(/\s+/).length).to.be.at.most(MOST_WORDS);
    });
  }

  it('are in the list, each with its title', () => {
    const titles = records.map((name) => [name.slice(0, 4), name, /^# \d{4}\. (.*)$/m.exec(read(name))?.[1]]);
    expect(listed.map(({ line }) => line)).to.have.deep.members(titles);
  });

  it('exist for every number that is cited', () => {
    const cited = texts.flatMap((path) =>
      [...readFileSync(join(root, path), 'utf8').matchAll(CITATION)].map(([, number, from, beside]) => ({
        path,
        number,
        file: from ?? beside,
      })),
    );
    expect(cited).to.not.be.empty;
    const missing = cited.filter(({ number, file }) =>
      number === undefined ? !existsSync(join(folder, file ?? '')) : !numbers.has(number),
    );
    expect(missing).to.deep.equal([]);
  });
});
