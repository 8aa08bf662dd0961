import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { useTempFolder } from '../support/temp-folder.ts';
import { root } from '../support/tree/root.ts';

type Shell = 'bash' | 'zsh' | 'fish';

/** What is typed, its last word unfinished, and what it may become; `FILES` for the names of files. */
const CASES: readonly (readonly [typed: readonly string[], expected: readonly string[]])[] = [
  [['us'], ['users']],
  [
    ['users', 'se'],
    ['sessions', 'send-reset', 'set-email'],
  ],
  [['users', 'ban', 'ada@example.com', '--re'], ['--reason']],
  [['users', '--json', 'lo'], ['logout']],
  [['users', 'list', '--ban'], ['--banned']],
  [['operator', 'grant', 'ada@example.com', 'f'], ['founder']],
  [
    ['cache', 'sync', 'ada@example.com', '--type', 'all'],
    ['allOne', 'allTwo'],
  ],
  [
    ['keys', 'rotate', '--kind', ''],
    ['signing', 'master'],
  ],
  // A value that is like a command is none.
  [['users', 'ban', '--reason', 'users', '--unt'], ['--until']],
  [['completion', 'f'], ['fish']],
  [['--ver'], ['--version']],
  [['store', 'backup', 'n'], ['notes.txt']],
  [['users', 'import', '--hash-config', 'n'], ['notes.txt']],
  [['users', 'import', '--from', 'k'], ['keycloak']],
  [['tier', 'set', 'ada@example.com', 'p'], []],
];

/** How each shell is asked what it would offer, one a line. */
const ASKING: Readonly<Record<Shell, (script: string, typed: readonly string[]) => readonly string[]>> = {
  bash: (script, typed) => [
    '--norc',
    '-c',
    `source "$1"; shift; COMP_WORDS=(gatehouse "$@"); COMP_CWORD=$#
     complete -p gatehouse >/dev/null && _gatehouse 2>/dev/null; printf '%s\\n' "\${COMPREPLY[@]}"`,
    'bash',
    script,
    ...typed,
  ],
  // Outside an editor zsh shows nothing: what it would show is printed, as far as it fits.
  zsh: (script, typed) => [
    '-f',
    '-c',
    `compdef() { :; }
     _describe() { local one; for one in "\${(@P)4}"; do one=\${one%%:*}; [[ $one == \${words[CURRENT]}* ]] && print -r -- $one; done }
     _files() { print -rl -- \${words[CURRENT]}*(N) }
     source "$1"; shift; words=(gatehouse "$@"); CURRENT=$#words; _gatehouse`,
    'zsh',
    script,
    ...typed,
  ],
  fish: (script, typed) => [
    '--no-config',
    '-c',
    'source $argv[1]; complete -C "gatehouse $argv[2]"',
    script,
    typed.map((word) => word.replaceAll(' ', '\\ ')).join(' '),
  ],
};

describe('The completion of commands in each shell', () => {
  const folder = useTempFolder();
  const main = join(root, 'dist/cli/main-joined.js');

  for (const shell of ['bash', 'zsh', 'fish'] as const) {
    it(`offers in ${shell} what may stand there, and nothing else`, () => {
      const result = spawnSync(process.execPath, [main, 'completion', shell], { encoding: 'utf8' });
      expect(result.status, result.stderr).to.equal(0);
      const script = join(folder(), 'script');
      writeFileSync(script, result.stdout);
      writeFileSync(join(folder(), 'notes.txt'), '');
      for (const [typed, expected] of CASES) {
        const { stdout, stderr } = spawnSync(shell, ASKING[shell](script, typed), {
          cwd: folder(),
          encoding: 'utf8',
          env: { PATH: process.env.PATH, HOME: folder(), TERM: 'dumb' },
        });
        const offered = stdout.split('\n').flatMap((line) => line.split('\t')[0] || []);
        expect(offered.sort(), `${typed.join(' ')}: ${stderr}`).to.deep.equal([...expected].sort());
      }
    });
  }
});
