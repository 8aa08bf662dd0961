import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { secretNames, settingNames } from '../adapters/config.ts';
import { indexes } from '../adapters/mongodb/collections.ts';
import { wrongInCommand } from './support/tree/known-commands.ts';
import { root } from './support/tree/root.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const guide = read('docs/deploying.md');
const samples = readdirSync(join(root, 'docs/samples'));
const units = samples.filter((name) => /\.(?:service|timer)$/.test(name));
const unit = (name: string) => read(`docs/samples/${name}`);
const programs = units.filter((name) => unit(name).includes('/dist/servers/'));

const all = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, found = '']) => found);

const isKnown = (name: string): boolean =>
  name === 'NAME_FILE' || settingNames.includes(name) || secretNames.includes(name.replace(/_FILE$/, ''));

describe('The deployment samples', () => {
  const named: Readonly<Record<string, readonly string[]>> = {
    Dockerfile: all(read('Dockerfile'), /^(?:ENV| {2,})\s*([A-Z_]+)=/gm),
    'compose.yaml': all(read('compose.yaml'), /^ {4}([A-Z_]+): /gm),
    'gatehouse.env': all(unit('gatehouse.env'), /^([A-Z_]+)=/gm),
    units: units.flatMap((name) => all(unit(name), /^Environment=([A-Z_]+)=/gm)),
    'deploying.md': all(guide, /\b([A-Z][A-Z_]+)=/g),
  };

  for (const [file, names] of Object.entries(named)) {
    it(`set only known settings in ${file}`, () => {
      expect(names.length).to.be.greaterThan(2);
      expect(names.filter((name) => !isKnown(name))).to.deep.equal([]);
    });
  }

  it('run existing programs and commands', () => {
    const texts = [read('Dockerfile'), read('compose.yaml'), guide, ...units.map(unit)];
    const paths = texts.flatMap((text) => all(text, /\b((?:dist|cli)\/[\w/]+\.m?js)\b/g));
    expect(paths).to.include.members(['dist/servers/accounts.js', 'dist/servers/metadata.js']);
    for (const path of paths) expect(existsSync(join(root, path)), path).to.equal(true);

    const lines = [
      ...units.flatMap((name) => all(unit(name), /gatehouse\.mjs (.+?)(?:'|$)/gm)),
      ...all(read('compose.yaml'), /cli\/gatehouse\.mjs, (\w.*)\]/g).map((words) =>
        words.replaceAll(',', ''),
      ),
      ...all(guide, /(?:^|[^\w/.-])gatehouse(?:\.mjs)? ((?:keys|config|store|audit|stats)\b[^`|\n&>]*)/gm),
    ];
    expect(lines.length).to.be.greaterThan(20);
    for (const line of lines) expect(wrongInCommand(line.trim().split(/\s+/)), line).to.equal(undefined);
  });

  it('copy only existing files into the image', () => {
    const copied = all(read('Dockerfile'), /^COPY (?!--from)(.*) \S+$/gm).flatMap((names) =>
      names.split(' '),
    );
    const allowed = all(read('.dockerignore'), /^!(.+)$/gm);
    expect(copied).to.have.members(allowed);
    for (const name of copied) expect(existsSync(join(root, name)), name).to.equal(true);
  });

  it('take a container for healthy if it answers, even beyond its rate limit', async () => {
    const [line = ''] = all(read('Dockerfile'), /^ {2}CMD (\["node", "-e", .*\])$/gm);
    const [program = '', ...args]: string[] = JSON.parse(line);
    for (const [status, code] of [
      [200, 0],
      [429, 0],
      [503, 1],
    ] as const) {
      const server = createServer((_req, res) => res.writeHead(status).end()).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const env = { ...process.env, ACCOUNTS_PORT: `${port}`, METADATA_PORT: '1' };
      const check = spawn(program, args, { env, stdio: 'ignore' });
      expect((await once(check, 'exit'))[0], `${status}`).to.equal(code);
      server.close();
    }
  });

  it('give a drain enough time', () => {
    const waits = [
      ...programs.flatMap((name) => all(unit(name), /^TimeoutStopSec=(\d+)$/gm)),
      ...all(read('compose.yaml'), /^ {2}stop_grace_period: (\d+)s$/gm),
    ];
    expect(waits).to.have.length(programs.length + 1);
    for (const seconds of waits) expect(Number(seconds)).to.be.greaterThan(30);
  });

  it('restart a service unless its settings are wrong', () => {
    expect(programs).to.have.length(3);
    for (const name of programs) {
      expect(unit(name), name)
        .to.match(/^Restart=on-failure$/m)
        .and.match(/^RestartPreventExitStatus=78$/m);
    }
  });
});

describe('The nightly unit', () => {
  it('makes a backup even if the audit log does not verify', () => {
    const commands = all(unit('gatehouse-nightly.service'), /gatehouse\.mjs (\w+ \w+)/g);
    expect(commands).to.deep.equal(['store backup', 'audit verify']);
  });
});

describe('The guide to scale', () => {
  it('names a shard key for each MongoDB collection, or says that it has none', () => {
    const rows = all(read('docs/scale.md'), /^\| (`[a-z_., `]+) \| (?:`\{|not sharded).*\|$/gm);
    const collections = rows.flatMap((row) => all(row, /`([a-z_.]+)`/g));
    expect(collections).to.have.members([...Object.keys(indexes), 'counts', 'meta']);
  });
});

describe('The guide to deploying', () => {
  it('links to every sample', () => {
    for (const name of samples) expect(guide, name).to.include(`](samples/${name})`);
  });

  it('waits for a service of another HOST at that address', () => {
    const dropIns = all(guide, /^```ini\n(.*?)^```$/gms).filter((text) => text.includes('=HOST='));
    expect(dropIns).to.not.be.empty;
    for (const text of dropIns) {
      const [name = ''] = all(text, /^# systemctl edit (\S+)$/gm);
      const [host = ''] = all(text, /^Environment=HOST=(\S+)$/gm);
      const waits = all(unit(`${name}.service`), /^ExecStartPost=(.*)$/gm);
      const atHost = waits.map((command) => command.replace('127.0.0.1', host));
      expect(all(text, /^ExecStartPost=(.*)$/gm), name).to.deep.equal(['', ...atHost]);
    }
  });
});
