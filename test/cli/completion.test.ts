import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { fishScript } from '../../cli/completion/fish.ts';
import { zshScript } from '../../cli/completion/sh.ts';
import type { CommandNode } from '../../cli/completion/tree.ts';
import { documentsOf } from './run-command.ts';
import { runLine } from './run-line.ts';

const NO_VALUE = { choices: [], isFile: false };
const FILE = { choices: [], isFile: true };
const KINDS = { choices: ['a', 'b'], isFile: false };

/** A program with a command that has a value of each kind. */
const NODES: readonly CommandNode[] = [
  {
    path: '',
    commands: [{ name: 'go', description: "it’s 'this': a\\b" }],
    flags: [{ name: '--help', description: 'help', value: null }],
    values: [],
  },
  {
    path: 'go',
    commands: [],
    flags: [
      { name: '--text', description: 'text', value: NO_VALUE },
      { name: '--kind', description: 'kind', value: KINDS },
      { name: '--in', description: 'in', value: FILE },
    ],
    values: [NO_VALUE, KINDS, FILE],
  },
];

describe('A completion script', () => {
  it('offers in bash the words of this program that may follow the typed words', async () => {
    const script = (await runLine(['completion', 'bash'])).stdout;
    const asJson = await runLine(['completion', 'bash', '--json']);
    expect(documentsOf(asJson)).to.deep.equal([{ shell: 'bash', script }]);
    const cases: readonly (readonly [typed: string, expected: string])[] = [
      ['us', 'users'],
      ['users se', 'send-reset sessions set-email'],
      ['users --json lo', 'logout'],
      ['users list --ban', '--banned'],
      ['users list --he', '--help'],
      ['users ban --reason users --unt', '--until'],
      ['users ban --reason se', ''],
      ['operator grant ada f', 'founder'],
      ['operator grant f', ''],
      ['operator grant ada founder f', ''],
      ['cache sync ada --type = all', 'allOne allTwo'],
      ['cache sync ada --type =', 'allOne allTwo mostOne mostTwo'],
      ['completion f', 'fish'],
      ['tier set ada p', ''],
      ['keys init /proc/self/comm', '/proc/self/comm'],
      ['keys init --kind /proc/self/comm', ''],
      ['store backup /proc/self/comm', '/proc/self/comm'],
      ['mail preview /proc/self/task', '/proc/self/task'],
      ['users import --passwords /proc/self/comm', '/proc/self/comm'],
    ];
    const queries = cases.map(
      ([typed]) =>
        `COMP_WORDS=(gatehouse ${typed}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _gatehouse; echo "\${COMPREPLY[*]}"`,
    );
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', [script, ...queries].join('\n')], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, LC_ALL: 'C' },
    });
    expect(stderr).to.equal('');
    const offers = stdout.split('\n').slice(0, -1);
    expect(offers.map((words) => words.split(' ').sort().join(' '))).to.deep.equal(
      cases.map(([, expected]) => expected),
    );
  });

  it('has for fish a line for each word, option and value, with the choices of the value', () => {
    const lines = fishScript(NODES)
      .split('\n')
      .filter((line) => line.startsWith('complete -c gatehouse -n'))
      .map((line) => line.slice('complete -c gatehouse -n '.length));
    const [top, go] = ["'__gatehouse_at \\'\\''", "'__gatehouse_at \\'go\\''"];
    expect(lines).to.deep.equal([
      `${top} -a go -d 'it’s \\'this\\': a\\\\b'`,
      `${top} -l help -d 'help'`,
      `${go} -l text -x -d 'text'`,
      `${go} -l kind -x -a 'a b' -d 'kind'`,
      `${go} -l in -r -F -d 'in'`,
      `${go} -a 'a b'`,
      `${go} -F`,
    ]);
    expect(fishScript([...NODES, { ...NODES[0], path: 'go on' } as CommandNode])).to.include(
      "\nset -g __gatehouse_paths 'go' 'go on'\n",
    );
  });

  it('has for zsh the quoted words with their descriptions, and file names for values that are files', () => {
    const branches = zshScript(NODES)
      .split('\n')
      .flatMap((line) => /^ {6}('.*'\) .*) ;;$/.exec(line)?.[1] ?? []);
    expect(branches).to.deep.equal([
      "'go --text' | 'go --kind' | 'go --in') flag=$word",
      "'go --kind') found=('a' 'b')",
      "'go --in') _files",
      "'') found=('--help:help')",
      "'go') found=('--text:text' '--kind:kind' '--in:in')",
      "'') found=('go:it’s '\\''this'\\'': a\\b')",
      "'go 1') found=('a' 'b')",
      "'go 2') _files",
    ]);
  });
});
