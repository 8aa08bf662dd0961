import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { useTempFolder } from './support/temp-folder.ts';
import { root } from './support/tree/root.ts';

const PORT = `
export interface Store {
  save(row: string): Promise<void>;
  flush(): Promise<void> | undefined;
  close(): Promise<void> | void;
  reopen?(): Promise<void>;
  each(visit: (row: string) => void): void;
}
`;

/** Statements that each rule of the linter must refuse. A rule that refuses too much would fail on the real files. */
const REFUSED = [
  "store.save('a');",
  'store.flush();',
  'other?.close();',
  'store.reopen?.();',
  'store.each(async (row) => { await store.save(row); });',
  "if (store.save('a')) other?.each(() => undefined);",
  "try { return store.save('a'); } catch { return undefined; }",
];

const functionsOf = (statements: readonly string[]) => [
  "import type { Store } from './port.ts';",
  ...statements.map(
    (statement, place) =>
      `export const f${place} = async (store: Store, other?: Store) => { ${statement} return other; };`,
  ),
];
const BUTTON = 'export const Press = ({ store }: { store: Store }) => <button type="button"';

const sources: Readonly<Record<string, readonly string[]>> = {
  'port.ts': [PORT],
  'product.ts': functionsOf(REFUSED),
  'page.tsx': [...functionsOf(REFUSED), `${BUTTON} onClick={async () => { await store.close(); }} />;`],
  'product.test.ts': functionsOf(REFUSED),
};

describe('The linter of floating promises', () => {
  const folder = useTempFolder('suite');
  let refused: string[];
  before(async () => {
    symlinkSync(join(root, 'node_modules'), join(folder(), 'node_modules'));
    const planted = join(folder(), 'planted');
    mkdirSync(planted);
    for (const [name, lines] of Object.entries(sources))
      writeFileSync(join(planted, name), `${lines.join('\n')}\n`);
    const options = {
      extends: join(root, 'servers/web/tsconfig.json'),
      compilerOptions: { rootDir: '.' },
      include: ['.'],
    };
    writeFileSync(join(planted, 'tsconfig.json'), JSON.stringify(options));
    const program = join(root, 'node_modules/.bin/oxlint');
    const flags = ['--config', join(root, '.oxlintrc.json'), '--format', 'unix', '.'];
    const output = await new Promise<string>((resolve) => {
      execFile(program, flags, { cwd: planted }, (_, stdout) => resolve(stdout));
    });
    refused = [...output.matchAll(/^([\w.]+):(\d+):/gm)].map(([, name, line]) => `${name}:${line}`);
  });

  for (const name of ['product.ts', 'page.tsx', 'product.test.ts'])
    it(`refuses every floating promise planted in ${name}`, () => {
      const planted = sources[name] ?? [];
      const missed = planted.filter((_, index) => index > 0 && !refused.includes(`${name}:${index + 1}`));
      expect(missed).to.deep.equal([]);
      expect(planted).to.have.length.at.least(REFUSED.length + 1);
    });

  it('is run by `npm run lint`, which fails on a warning', async () => {
    const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    expect(scripts.lint).to.equal('biome check --error-on-warnings . && oxlint && knip --no-progress');
  });
});
