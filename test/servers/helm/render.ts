import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programPath } from '../../support/runner/outside-programs.ts';
import { root } from '../../support/tree/root.ts';

const CHART = join(root, 'docs/samples/helm/gatehouse');

/** JSON of a manifest: a test asserts on what is there. */
export interface Loose {
  readonly [name: string]: Loose;
}

interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const run = (name: string, args: readonly string[], input = ''): Ran =>
  spawnSync(programPath(name), args, { input, encoding: 'utf8', maxBuffer: 2 ** 26 });

/** The version of Kubernetes that the chart is rendered and read for. */
const KUBERNETES = '1.33';

/** The values without which there is no installation. */
export const least = {
  settings: { PUBLIC_URL: 'https://accounts.example.com', MAIL_FROM: 'no-reply@example.com' },
};

const withValues = (folder: string, values: object): readonly string[] => {
  const file = join(folder, 'values.json');
  writeFileSync(file, JSON.stringify(values));
  return [CHART, '--values', file, '--kube-version', KUBERNETES];
};

export const lint = (folder: string, values: object): Ran =>
  run('Helm', ['lint', '--strict', ...withValues(folder, values)]);

export const template = (folder: string, values: object): Ran =>
  run('Helm', ['template', 'drop', ...withValues(folder, values)]);

/** Reads manifests as Kubernetes does that takes no unknown member. */
export const readManifests = (text: string): Ran =>
  run('kubernetes-validate', [join(root, 'test/support/servers/manifests.py'), KUBERNETES], text);

/** What the chart makes of the values. Throws what Helm, or a strict reader, says against it. */
export const render = (folder: string, values: object): readonly Loose[] => {
  const made = template(folder, values);
  const taken = readManifests(made.stdout);
  if (made.status !== 0 || taken.status !== 0) throw new Error(made.stderr + taken.stderr);
  return taken.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
};

/** What the image sets. */
export const imageSettings = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...readFileSync(join(root, 'Dockerfile'), 'utf8').matchAll(/^(?:ENV| {4})\s*([A-Z_]+)=(\S+)/gm)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  );
