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

/** The shell blocks of the guide, each with the section it stands in. */
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
const runnable = blocks.filter((block) => !needsServer(block));
const onTheMachine = runnable.filter(({ section }) => section !== 'Docker Compose');
const forCompose = runnable.filter(({ section }) => section === 'Docker Compose');

/** Where the guide's folders are in a test's own. */
const PLACES = {
  '/etc/systemd/system': 'units',
  '/etc/gatehouse': 'etc',
  '/etc/nginx/conf.d': 'nginx',
  '/var/lib/gatehouse': 'lib/gatehouse',
  '/var/backups/gatehouse': 'backups',
  '/opt/gatehouse': 'opt/gatehouse',
  '/usr/local/bin': 'bin',
} as const;

/** What a unit says of the machine that is not so on this one. */
const placed = (given: string, folder: string, ports: readonly number[]): string => {
  const wanted: readonly (readonly [string | RegExp, string])[] = [
    ...Object.entries(PLACES).map(([from, to]) => [from, join(folder, to)] as const),
    ['/usr/bin/node', process.execPath],
    ...['3000', '3010', '3001'].map(
      (port, place) => [new RegExp(`\\b${port}\\b`, 'g'), `${ports[place]}`] as const,
    ),
  ];
  return wanted.reduce((done, [from, to]) => done.replaceAll(from, to), given);
};

describe('The shell lines of the guide to deploying', () => {
  const groups: number[] = [];
  afterEach(() => {
    for (const pid of groups.splice(0)) if (isGroupAlive(pid)) process.kill(-pid, 'SIGKILL');
  });
  const folder = useTempFolder();

  /** Runs a script as one shell, in a process group of its own. */
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

  /** A machine with two versions of the program, and samples that fit its folders and ports. */
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
        // The chart is for another kind of machine.
        if (!entry.isFile()) continue;
        writeFileSync(
          join(program, 'docs/samples', name),
          placed(read(`docs/samples/${name}`), folder(), ports),
        );
      }
    }
    return { ports, at };
  };

  it('are all run here or need a server of their own', () => {
    expect(onTheMachine.length).to.be.greaterThan(10);
    expect(forCompose).to.have.length(1);
    expect(blocks.filter(needsServer).length).to.be.lessThan(9);
  });

  it('set a machine up, prove a backup, rotate keys, move house and upgrade', async () => {
    const { ports, at } = await makeMachine();
    const user = 'echo \'{"email":"ada@example.com","emailVerified":true}\' > "$RUN/users.jsonl"';
    const MARK = '@@@';
    const steps = onTheMachine.flatMap(({ lines }) => {
      const step = [`echo '${MARK}'`, placed(lines, folder(), ports)];
      // Somebody to lose.
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

    const said = new Map(
      stdout.split(`${MARK}\n`).map((out, place) => [onTheMachine[place - 1]?.lines, out]),
    );
    const saidBy = (words: string) =>
      [...said].filter(([lines]) => lines?.includes(words)).map(([, out]) => out);
    const counts = saidBy('gatehouse stats').map((out) => /totalUsers +(\d+)/.exec(out)?.[1]);
    expect(counts).to.deep.equal(['1', '1']);
    for (const out of saidBy('audit verify')) expect(out).to.match(/intact +true/);
    expect(saidBy('keys status').join())
      .to.match(/signing.*next/)
      .and.match(/master.*old/);
    expect(stdout.match(/"status":"ok"/g)).to.have.length(3);

    // One value of each is left, and what is secret is its owner's alone.
    expect(textOf(at('etc/internal-secret')).trim()).to.match(/^[^,]{40,}$/);
    for (const path of ['etc', 'etc/keys', 'etc/hash-key', 'etc/keys/master.json', 'lib/gatehouse']) {
      expect(statSync(at(path)).mode & 0o077, path).to.equal(0);
    }
    for (const name of readdirSync(at('run')).filter((file) => file.endsWith('.log'))) {
      expect(textOf(at('run', name)), name).not.to.match(/"level":[56]0/);
    }
  });

  it('make the secrets that the containers are given, with settings that hold', async () => {
    const at = (...path: readonly string[]) => join(folder(), ...path);
    mkdirSync(at('keys'));
    const compose = read('compose.yaml');
    const settings = [
      ...[...read('Dockerfile').matchAll(/^(?:ENV| {2,})\s*([A-Z_]+=\S+)/gm)].map(([, one = '']) => one),
      ...[...compose.matchAll(/^ {4}([A-Z_]+): ([^$\n]+)$/gm)].map(([, name, value]) => `${name}=${value}`),
    ].map((one) => one.replace('/run/secrets', at('secrets')).replace('=/keys', `=${at('keys')}`));
    const command = `${process.execPath} ${join(root, 'cli/gatehouse.mjs')}`;
    const script = [
      machine,
      ...forCompose.map(({ lines }) => lines),
      `for kind in signing master; do ${command} keys init --kind $kind keys/$kind.json; done`,
      `env ${settings.join(' ')} ${command} config check`,
    ];
    const { stdout, stderr, code } = await bash(script.join('\n'), folder());
    expect(code, stderr).to.equal(0);
    expect(stdout)
      .to.match(/^NODE_ENV +production$/m)
      .and.match(/^MONGODB_URL +set, not shown$/m);
    // Another user reads them in the container, and nobody else gets this far.
    expect(statSync(at('secrets')).mode & 0o777).to.equal(0o700);
    expect(statSync(at('secrets/hash-key')).mode & 0o777).to.equal(0o644);
  });
});

const textOf = (file: string) => readFileSync(file, 'utf8');
