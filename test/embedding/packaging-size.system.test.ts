import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { useTempFolder } from '../support/temp-folder.ts';
import { root } from '../support/tree/root.ts';
import { unpackTo } from './installed.ts';
import { readManifest } from './packages.ts';
import { bytesOf, neededBy } from './weight.ts';

const MB = 1_048_576;
const MOST_PACKAGES = 170;
const MOST_BYTES = 80 * MB;
const MOST_SENT = 2 * MB;

const { peerDependenciesMeta = {} } = readManifest(root);
/** An app has no packages that only `gatehouse/testing` needs. */
const optional = Object.keys(peerDependenciesMeta).filter(
  (name) => !/^(?:chai|fast-check|mocha)$/.test(name),
);

/** The package with this name, or all packages whose name begins with a text before an ellipsis. */
const namedBy = (name: string): readonly string[] =>
  name.endsWith('…') ? optional.filter((one) => one.startsWith(name.slice(0, -1))) : [name];

/** The sizes of the parts in `embedding.md`: names of packages, the number of packages that they add, and megabytes. */
const rows = [
  ...readFileSync(join(root, 'docs/embedding.md'), 'utf8').matchAll(
    /^\| ([^|]*`[^|]*) \| (\d+) \| (\d+) \| [^|]*\|$/gm,
  ),
].map(([, names = '', count, size]) => ({
  names: [...names.matchAll(/`([^`]+)`/g)].flatMap(([, name = '']) => namedBy(name)),
  count: Number(count),
  size: Number(size),
}));

/** A document without code, in which brackets are no links. */
const prose = (text: string): string => text.replace(/^```.*?^```/gms, '').replace(/`[^`\n]*`/g, '');

/** The targets of a Markdown document's links to files. */
const linksIn = (text: string): readonly string[] =>
  [...prose(text).matchAll(/\]\(([^)\s#]+)(?:#[^)\s]*)?\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));

describe('The package in an app', function () {
  // npm packs and installs, which takes long on a slow disk.
  this.timeout(600_000);
  const folder = useTempFolder('suite');
  const at = (...path: readonly string[]) => join(folder(), 'package', ...path);
  const { dependencies = {} } = readManifest(root);
  let sent = 0;
  let own = 0;

  before(async () => {
    ({ size: sent } = await unpackTo(at()));
    own = bytesOf(at());
  });

  it('is an archive of less than two megabytes', () => {
    expect(sent).to.be.within(0.5 * MB, MOST_SENT);
  });

  // An app has second copies of some packages, which `overrides` in package.json avoid in the repository.
  it(`takes at most ${MOST_PACKAGES} packages and ${MOST_BYTES / MB} MB`, () => {
    const places = [...neededBy(Object.keys(dependencies))];
    expect(places.length).to.be.within(100, MOST_PACKAGES - 10);
    const bytes = places.reduce((sum, place) => sum + bytesOf(join(root, place)), own);
    expect(bytes).to.be.within(40 * MB, MOST_BYTES - MB);
  });

  it('has documents that link only to files in it', () => {
    const documents = readdirSync(at(), { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.md'),
    );
    expect(documents).to.include.members(['README.md', join('docs', 'embedding.md')]);
    const lost = documents.flatMap((document) =>
      linksIn(readFileSync(at(document), 'utf8'))
        .filter((target) => !existsSync(at(dirname(document), target)))
        .map((target) => `${document}: ${target}`),
    );
    expect(lost.sort()).to.deep.equal([]);
  });

  it('has parts of the sizes stated in embedding.md', () => {
    const told = rows.flatMap(({ names }) => names).filter((name) => name !== 'gatehouse');
    expect(told).to.have.members([...Object.keys(dependencies), ...optional]);
    const counted = new Set<string>();
    for (const { names, count, size } of rows) {
      const fresh = [...neededBy(names)].filter((place) => !counted.has(place));
      // Each optional part is added to the packages that are always installed.
      if (!names.some((name) => optional.includes(name))) for (const place of fresh) counted.add(place);
      const bytes = fresh.reduce((sum, place) => sum + bytesOf(join(root, place)), 0);
      const isOwn = names.includes('gatehouse');
      expect(isOwn ? 1 : fresh.length, `packages of ${names}`).to.equal(count);
      expect((isOwn ? own : bytes) / MB, `megabytes of ${names}`).to.be.closeTo(size, 1);
    }
  });
});
