import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { useTempFolder } from '../support/temp-folder.ts';
import { packInto } from './installed.ts';

/** A document without its blocks and pieces of code, where brackets are no links. */
const prose = (text: string): string => text.replace(/^```.*?^```/gms, '').replace(/`[^`\n]*`/g, '');

/** The files that a document of markdown links to, as it names them. */
const linksIn = (text: string): readonly string[] =>
  [...prose(text).matchAll(/\]\(([^)\s#]+)(?:#[^)\s]*)?\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));

describe('The documents in the package', function () {
  // npm packs and installs, perhaps on a slow disk.
  this.timeout(600_000);
  const folder = useTempFolder('suite');
  const at = (...path: readonly string[]) => join(folder(), 'package', ...path);
  before(async () => {
    const { filename } = await packInto(folder());
    execFileSync('tar', ['-xzf', filename], { cwd: folder() });
  });

  it('link to no file that is not in it', () => {
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
});
