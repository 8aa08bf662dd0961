import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { unpackTo } from '../../embedding/installed.ts';
import { copyPackages, readManifest } from '../../embedding/packages.ts';
import { root } from '../../support/tree/root.ts';
import { buildImage, type Image } from './image.ts';

const text = readFileSync(join(root, 'docs/bundling.md'), 'utf8');

/** The files that bundling.md shows, by the path in their first line. */
const files = [...text.matchAll(/^```js\n\/\/ (\S+)\n(.*?)^```/gms)];

/** The commands that bundling.md shows below a heading. */
export const linesBelow = (heading: string): string => {
  const [, lines] = new RegExp(`^## ${heading}\n.*?^\`\`\`sh\n(.*?)\n\`\`\``, 'ms').exec(text) ?? [];
  if (lines === undefined) throw new Error(`bundling.md shows no command below ${heading}.`);
  return lines;
};

/** The image below a heading of bundling.md. */
const imageBelow = (heading: string): string =>
  new RegExp(`^##+ ${heading}\n.*?^\`\`\`dockerfile\n(.*?)^\`\`\``, 'ms').exec(text)?.[1] ?? '';

export interface App {
  /** A folder with the files of bundling.md, the packed product, and packages that an app has beside it. */
  readonly folder: string;
  /** Builds the image below a heading of bundling.md. */
  build(heading: string): Promise<Image>;
  remove(): void;
}

const putFile = (path: string, content: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
};

/** Makes the app of bundling.md with packages of those that users' apps have. All are real files: Next.js follows no link. */
export const makeApp = async (packages: readonly string[], programs: readonly string[]): Promise<App> => {
  const outside = process.env.GATEHOUSE_TEST_OUTSIDE ?? '';
  const outer = mkdtempSync(join(tmpdir(), 'gatehouse-bundled-'));
  const folder = join(outer, 'app');
  const modules = join(folder, 'node_modules');
  copyPackages([...packages, ...programs], outside, modules);
  for (const name of programs) {
    const program = join('.bin', name);
    cpSync(join(outside, 'node_modules', program), join(modules, program), { verbatimSymlinks: true });
  }
  await unpackTo(join(modules, 'gatehouse'));
  // Where npm puts those of which the app has another version.
  copyPackages(
    Object.keys(readManifest(root).dependencies ?? {}),
    root,
    join(modules, 'gatehouse/node_modules'),
  );
  for (const [, path = '', code = ''] of files) putFile(join(folder, path), code);
  putFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  // Images copy them, but install nothing.
  for (const name of ['package-lock.json', 'gatehouse-0.1.0.tgz']) putFile(join(folder, name), '{}');
  return {
    folder,
    build: (heading) => buildImage(imageBelow(heading), folder, join(outer, 'image')),
    remove: () => rmSync(outer, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }),
  };
};
