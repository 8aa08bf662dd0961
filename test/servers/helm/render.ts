import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programPath } from '../../support/runner/outside-programs.ts';
import { root } from '../../support/tree/root.ts';

const CHART = join(root, 'docs/samples/helm/gatehouse');

/** JSON of a manifest. */
export interface AnyJson {
  readonly [name: string]: AnyJson;
}

interface RunResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const run = (name: string, args: readonly string[], input = ''): RunResult =>
  spawnSync(programPath(name), args, { input, encoding: 'utf8', maxBuffer: 2 ** 26 });

/** The version of Kubernetes for which the chart is rendered and validated. */
const KUBERNETES = '1.33';

/** The required values. */
export const minimalValues = {
  settings: { PUBLIC_URL: 'https://accounts.example.com', MAIL_FROM: 'no-reply@example.com' },
};

const withValues = (folder: string, values: object): readonly string[] => {
  const file = join(folder, 'values.json');
  writeFileSync(file, JSON.stringify(values));
  return [CHART, '--values', file, '--kube-version', KUBERNETES];
};

export const lint = (folder: string, values: object): RunResult =>
  run('Helm', ['lint', '--strict', ...withValues(folder, values)]);

export const template = (folder: string, values: object): RunResult =>
  run('Helm', ['template', 'drop', ...withValues(folder, values)]);

/** Reads manifests as strictly as Kubernetes does, which refuses unknown members. */
export const readManifests = (text: string): RunResult =>
  run('kubernetes-validate', [join(root, 'test/support/servers/manifests.py'), KUBERNETES], text);

/** Renders the chart with the values. Throws the errors of Helm or of the strict reader. */
export const render = (folder: string, values: object): readonly AnyJson[] => {
  const rendered = template(folder, values);
  const parsed = readManifests(rendered.stdout);
  if (rendered.status !== 0 || parsed.status !== 0) throw new Error(rendered.stderr + parsed.stderr);
  return parsed.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
};

/** The environment variables of the image. */
export const imageSettings = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...readFileSync(join(root, 'Dockerfile'), 'utf8').matchAll(/^(?:ENV| {4})\s*([A-Z_]+)=(\S+)/gm)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  );
