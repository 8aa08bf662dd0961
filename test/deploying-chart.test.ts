import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { secretNames, settingNames } from '../adapters/config.ts';
import { wrongInCommand } from './support/tree/known-commands.ts';
import { root } from './support/tree/root.ts';

const CHART = 'docs/samples/helm/gatehouse';
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const values = read(`${CHART}/values.yaml`);
const readme = read(`${CHART}/README.md`);
const templates = readdirSync(join(root, CHART, 'templates')).map((name) =>
  read(`${CHART}/templates/${name}`),
);
const text = templates.join('\n');

const all = (given: string, pattern: RegExp): readonly string[] =>
  [...given.matchAll(pattern)].map(([, found = '']) => found);

/** The values below a member of the first level. */
const below = (name: string) => new RegExp(`^${name}:\\n((?:(?: .*|#.*)?\\n)*)`, 'm').exec(values)?.[1] ?? '';

/** The paths of all values. A level is indented by two spaces, and text in braces is one value. */
const paths = (): readonly string[] => {
  const found: string[] = [];
  const within: string[] = [];
  for (const [, indent = '', name = ''] of values.matchAll(/^( *)([A-Za-z_]+):/gm)) {
    within.splice(indent.length / 2);
    within.push(name);
    found.push(within.join('.'));
  }
  return found;
};

describe('The Helm chart', () => {
  it('sets only known settings, and secrets only by files', () => {
    const plain = [...all(below('settings'), /^ {2}([A-Z_]+):/gm), ...all(readme, /settings\.([A-Z_]+)/g)];
    expect(plain).to.include.members(['BILLING', 'PUBLIC_URL', 'MAIL_FROM', 'TRUSTED_PROXIES']);
    expect(plain.filter((name) => !settingNames.includes(name) || secretNames.includes(name))).to.deep.equal(
      [],
    );
    const secret = all(below('secrets'), /^ {4}- ([A-Z_]+)$/gm);
    expect(secret.filter((name) => !secretNames.includes(name))).to.deep.equal([]);
    expect(all(readme, /--from-file=([A-Z_]+)=/g)).to.deep.equal(secret);
    const set = all(text, /name: ([A-Z][A-Z_]+)\b/g);
    expect(set).to.include.members(['SIGNING_KEYS_FILE', 'MASTER_KEYS_FILE', 'METRICS_PORT']);
    expect(set.filter((name) => !settingNames.includes(name))).to.deep.equal([]);
  });

  it('uses each of its values, and no other', () => {
    const known = paths();
    expect(known).to.include.members(['image.tag', 'accounts.autoscaling.targetCPU', 'migrate.enabled']);
    const used = [
      ...all(text, /\$?\.Values\.([\w.]+)/g),
      ...['accounts', 'metadata'].flatMap((service) =>
        all(text, /\$values\.([\w.]+)/g).map((path) => `${service}.${path}`),
      ),
      'networkPolicy.accountsFrom',
      'networkPolicy.metadataFrom',
    ];
    const optional = ['nameOverride', 'fullnameOverride', 'settings.KMS', 'settings.PUBLIC_URL'];
    expect(used.filter((path) => !known.includes(path) && !optional.includes(path))).to.deep.equal([]);
    const unused = known.filter(
      (path) => !used.some((one) => `${path}.`.startsWith(`${one}.`) || one.startsWith(`${path}.`)),
    );
    expect(unused).to.deep.equal([]);
  });

  it('runs existing programs and commands, and probes existing routes', () => {
    expect(all(text, /dist\/servers\/(.+?)\.js/g)).to.deep.equal(['{{ $component }}']);
    const commands = [
      ...all(text, /cli\/gatehouse\.mjs, ([\w, ]+)\]/g).map((words) => words.replaceAll(',', '')),
      ...all(text, /cli\/gatehouse\.mjs ([\w ]+)$/gm),
      ...all(readme, /^gatehouse (.+)$/gm),
    ];
    expect(commands).to.have.length(5);
    for (const line of commands) expect(wrongInCommand(line.split(' ')), line).to.equal(undefined);
    const asked = all(text, /httpGet: \{ path: (\S+),/g);
    expect(asked).to.deep.equal(['/health/ready', '/health/ready', '/health']);
    for (const path of asked) expect(read('docs/api.md')).to.include(`### \`GET ${path}\``);
  });

  it('gives a drain enough time after the pause that precedes it', () => {
    const [grace = 0] = all(text, /terminationGracePeriodSeconds: (\d+)$/gm).map(Number);
    const [pause = 0] = all(text, /command: \[sleep, '(\d+)'\]/g).map(Number);
    expect(grace - pause).to.be.greaterThan(30);
  });

  it('has memory for as many passwords at once as its settings allow', () => {
    // What a hashing process takes while it hashes, and what the service takes beside them.
    const [hashMiB, serviceMiB] = [40, 300];
    const [hashWorkers = Number.NaN] = all(below('settings'), /^ {2}HASH_WORKERS: '(\d+)'$/gm).map(Number);
    const [limitMiB = 0] = all(below('accounts'), /limits: \{ memory: (\d+)Mi \}/g).map(Number);
    expect(serviceMiB + hashWorkers * hashMiB).to.be.at.most(limitMiB);
  });

  it('has the version of the product', () => {
    const { version } = JSON.parse(read('package.json'));
    const chart = read(`${CHART}/Chart.yaml`);
    expect(chart).to.include(`\nappVersion: ${version}\n`).and.include(`\nversion: ${version}\n`);
  });
});
