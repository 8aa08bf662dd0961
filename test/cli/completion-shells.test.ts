import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { useTempFolder } from '../support/temp-folder.ts';
import { root } from '../support/tree/root.ts';

type Shell = 'bash' | 'zsh' | 'fish';

/** The typed words, the last of them unfinished, and the words that the shell offers. */
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
  // The value of an option is not taken for a command of the same name.
  [['users', 'ban', '--reason', 'users', '--unt'], ['--until']],
  [['completion', 'f'], ['fish']],
  [['--ver'], ['--version']],
  [['store', 'backup', 'n'], ['notes.txt']],
  [['users', 'import', '--hash-config', 'n'], ['notes.txt']],
  [['users', 'import', '--from', 'k'], ['keycloak']],
  [['tier', 'set', 'ada@example.com', 'p'], []],
];

/** The arguments with which each shell prints its offers, one a line. */
const SHELL_ARGS: Readonly<Record<Shell, (script: string, typed: readonly string[]) => readonly string[]>> = {
  bash: (script, typed) => [
    '--norc',
    '-c',
    `source "$1"; shift; COMP_WORDS=(gatehouse "$@"); COMP_CWORD=$#
     complete -p gatehouse >/dev/null && _gatehouse 2>/dev/null; printf '%s\\n' "\${COMPREPLY[@]}"`,
    'bash',
    script,
    ...typed,
  ],
  // Outside its line editor zsh shows no offers: these replacements print those that match the typed word.
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

describe('The completion of commands', () => {
  const folder = useTempFolder();
  const main = join(root, 'dist/cli/main-joined.js');

  for (const shell of ['bash', 'zsh', 'fish'] as const) {
    it(`offers only words that may follow the typed words in ${shell}`, () => {
      const result = spawnSync(process.execPath, [main, 'completion', shell], { encoding: 'utf8' });
      expect(result.status, result.stderr).to.equal(0);
      const script = join(folder(), 'script');
      writeFileSync(script, result.stdout);
      writeFileSync(join(folder(), 'notes.txt'), '');
      for (const [typed, expected] of CASES) {
        const { stdout, stderr } = spawnSync(shell, SHELL_ARGS[shell](script, typed), {
          cwd: folder(),
          encoding: 'utf8',
          env: { PATH: process.env.PATH, HOME: folder(), TERM: 'dumb' },
        });
        const offers = stdout.split('\n').flatMap((line) => line.split('\t')[0] || []);
        expect(offers.sort(), `${typed.join(' ')}: ${stderr}`).to.deep.equal([...expected].sort());
      }
    });
  }
});
