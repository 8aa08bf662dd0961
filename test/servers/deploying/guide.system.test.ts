import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { freePort } from '../../support/free-port.ts';
import { isGroupAlive } from '../../support/servers/server-process.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { root } from '../../support/tree/root.ts';
import { machine } from './machine.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** The shell blocks of the guide, with the title of their section. */
const blocks = read('docs/deploying.md')
  .split(/^## /m)
  .flatMap((section) =>
    [...section.matchAll(/^ *```sh\n(.*?)^ *```$/gms)].map(([, lines = '']) => ({
      section: section.split('\n', 1)[0] ?? '',
      lines,
    })),
  );
const needsServer = ({ lines }: { readonly lines: string }) =>
  /^ *(?:docker|mongosh|redis-cli|pg_dump) /m.test(lines);
const runnableBlocks = blocks.filter((block) => !needsServer(block));
const machineBlocks = runnableBlocks.filter(({ section }) => section !== 'Docker Compose');
const composeBlocks = runnableBlocks.filter(({ section }) => section === 'Docker Compose');

/** The folders of the guide, and the folders of the test that replace them. */
const PLACES = {
  '/etc/systemd/system': 'units',
  '/etc/gatehouse': 'etc',
  '/etc/nginx/conf.d': 'nginx',
  '/var/lib/gatehouse': 'lib/gatehouse',
  '/var/backups/gatehouse': 'backups',
  '/opt/gatehouse': 'opt/gatehouse',
  '/usr/local/bin': 'bin',
} as const;

/** Replaces the folders, the program and the ports in a text of the guide. */
const adapt = (source: string, folder: string, ports: readonly number[]): string => {
  const replacements: readonly (readonly [string | RegExp, string])[] = [
    ...Object.entries(PLACES).map(([from, to]) => [from, join(folder, to)] as const),
    ['/usr/bin/node', process.execPath],
    ...['3000', '3010', '3001'].map(
      (port, place) => [new RegExp(`\\b${port}\\b`, 'g'), `${ports[place]}`] as const,
    ),
  ];
  return replacements.reduce((result, [from, to]) => result.replaceAll(from, to), source);
};

describe('The shell commands of the deployment guide', () => {
  const groups: number[] = [];
  afterEach(() => {
    for (const pid of groups.splice(0)) if (isGroupAlive(pid)) process.kill(-pid, 'SIGKILL');
  });
  const folder = useTempFolder();

  /** Runs a script in one shell, in its own process group. */
  const bash = async (script: string, cwd: string, env: NodeJS.ProcessEnv = {}) => {
    const child = spawn('bash', ['-c', script], {
      cwd,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: `${join(folder(), 'bin')}:${process.env.PATH}`, ...env },
    });
    if (child.pid !== undefined) groups.push(child.pid);
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    return { stdout, stderr, code };
  };

  /** Makes a machine with two versions of the program, and samples with its folders and ports. */
  const makeMachine = async () => {
    const ports = [await freePort(), await freePort(), await freePort()];
    const at = (...path: readonly string[]) => join(folder(), ...path);
    for (const name of ['opt', 'bin', 'units', 'nginx', 'lib', 'run']) mkdirSync(at(name));
    for (const version of ['0.1.0', '0.2.0']) {
      const program = at('opt', `gatehouse-${version}`);
      mkdirSync(join(program, 'docs/samples'), { recursive: true });
      for (const name of ['dist', 'cli', 'node_modules', 'package.json', 'docs/nginx.conf']) {
        symlinkSync(join(root, name), join(program, name));
      }
      for (const entry of readdirSync(join(root, 'docs/samples'), { withFileTypes: true })) {
        const { name } = entry;
        // Skips the folder of the Helm chart.
        if (!entry.isFile()) continue;
        writeFileSync(
          join(program, 'docs/samples', name),
          adapt(read(`docs/samples/${name}`), folder(), ports),
        );
      }
    }
    return { ports, at };
  };

  it('all run here, unless they need another server', () => {
    expect(machineBlocks.length).to.be.greaterThan(10);
    expect(composeBlocks).to.have.length(1);
    expect(blocks.filter(needsServer).length).to.be.lessThan(9);
  });

  it('set up a machine, check a backup, rotate keys, transfer an installation and upgrade', async () => {
    const { ports, at } = await makeMachine();
    const user = 'echo \'{"email":"ada@example.com","emailVerified":true}\' > "$RUN/users.jsonl"';
    const MARK = '@@@';
    const steps = machineBlocks.flatMap(({ lines }) => {
      const step = [`echo '${MARK}'`, adapt(lines, folder(), ports)];
      // An account that the later steps must keep.
      return lines.includes('enable --now gatehouse-accounts')
        ? [...step, user, 'gatehouse users import "$RUN/users.jsonl" >&2']
        : step;
    });
    const stop = `systemctl stop gatehouse-accounts@${ports[0]} gatehouse-accounts@${ports[1]} gatehouse-metadata`;
    const { stdout, stderr, code } = await bash([machine, ...steps, stop].join('\n'), folder(), {
      UNITS: at('units'),
      RUN: at('run'),
    });
    expect(code, stdout + stderr).to.equal(0);

    const outputs = new Map(
      stdout.split(`${MARK}\n`).map((out, place) => [machineBlocks[place - 1]?.lines, out]),
    );
    const outputsOf = (words: string) =>
      [...outputs].filter(([lines]) => lines?.includes(words)).map(([, out]) => out);
    const counts = outputsOf('gatehouse stats').map((out) => /totalUsers +(\d+)/.exec(out)?.[1]);
    expect(counts).to.deep.equal(['1', '1']);
    for (const out of outputsOf('audit verify')) expect(out).to.match(/intact +true/);
    expect(outputsOf('keys status').join())
      .to.match(/signing.*next/)
      .and.match(/master.*old/);
    expect(stdout.match(/"status":"ok"/g)).to.have.length(3);

    // One value of each secret is left, and only its owner can read it.
    expect(textOf(at('etc/internal-secret')).trim()).to.match(/^[^,]{40,}$/);
    for (const path of ['etc', 'etc/keys', 'etc/hash-key', 'etc/keys/master.json', 'lib/gatehouse']) {
      expect(statSync(at(path)).mode & 0o077, path).to.equal(0);
    }
    for (const name of readdirSync(at('run')).filter((file) => file.endsWith('.log'))) {
      expect(textOf(at('run', name)), name).not.to.match(/"level":[56]0/);
    }
  });

  it('create the secrets of the containers, with valid settings', async () => {
    const at = (...path: readonly string[]) => join(folder(), ...path);
    mkdirSync(at('keys'));
    const compose = read('compose.yaml');
    const settings = [
      ...[...read('Dockerfile').matchAll(/^(?:ENV| {2,})\s*([A-Z_]+=\S+)/gm)].map(([, line = '']) => line),
      ...[...compose.matchAll(/^ {4}([A-Z_]+): ([^$\n]+)$/gm)].map(([, name, value]) => `${name}=${value}`),
    ].map((line) => line.replace('/run/secrets', at('secrets')).replace('=/keys', `=${at('keys')}`));
    const command = `${process.execPath} ${join(root, 'cli/gatehouse.mjs')}`;
    const script = [
      machine,
      ...composeBlocks.map(({ lines }) => lines),
      `for kind in signing master; do ${command} keys init --kind $kind keys/$kind.json; done`,
      `env ${settings.join(' ')} ${command} config check`,
    ];
    const { stdout, stderr, code } = await bash(script.join('\n'), folder());
    expect(code, stderr).to.equal(0);
    expect(stdout)
      .to.match(/^NODE_ENV +production$/m)
      .and.match(/^MONGODB_URL +set, not shown$/m);
    // The user of the container must read the files; the folder keeps other users out.
    expect(statSync(at('secrets')).mode & 0o777).to.equal(0o700);
    expect(statSync(at('secrets/hash-key')).mode & 0o777).to.equal(0o644);
  });
});

const textOf = (file: string) => readFileSync(file, 'utf8');
