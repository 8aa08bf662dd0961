import type { CommandNode, Value, Word } from './tree.ts';

/** Quotes for sh-like shells. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The flags that take a value, each with its command's path, as patterns of a `case`. */
const flagsWithValues = (nodes: readonly CommandNode[]): readonly string[] =>
  nodes.flatMap(({ path, flags }) =>
    flags.filter(({ value }) => value !== null).map(({ name }) => `${path} ${name}`),
  );

/** How a shell script offers the words of a position. */
interface ShellDialect {
  readonly ofValue: (value: Value) => string;
  readonly ofWords: (words: readonly Word[]) => string;
}

const branch = (pattern: string, command: string): string => `      ${quoted(pattern)}) ${command} ;;`;

/** A branch for a value with allowed words, or for a file. */
const branchOf = (pattern: string, value: Value, { ofValue }: ShellDialect): readonly string[] =>
  value.isFile || value.choices.length > 0 ? [branch(pattern, ofValue(value))] : [];

/** The branches of each `case`, one per line. */
const branchesOf = (nodes: readonly CommandNode[], dialect: ShellDialect) => ({
  flagValues: nodes.flatMap(({ path, flags }) =>
    flags.flatMap(({ name, value }) => (value === null ? [] : branchOf(`${path} ${name}`, value, dialect))),
  ),
  flags: nodes.map(({ path, flags }) => branch(path, dialect.ofWords(flags))),
  commands: nodes.flatMap(({ path, commands }) =>
    commands.length > 0 ? [branch(path, dialect.ofWords(commands))] : [],
  ),
  values: nodes.flatMap(({ path, values }) =>
    values.flatMap((value, index) => branchOf(`${path} ${index}`, value, dialect)),
  ),
});

/**
 * The code that sh-like shells share: the rest of a loop over the words before the current one, each in `$word`, and then
 * the completions of the current word `$cur`. The script sets both, and before the loop `at` (the path of the command so far)
 * and `flag` (the flag whose value comes next) to '', and `place` (how many values came so far) to 0.
 */
const bodyOf = (nodes: readonly CommandNode[], dialect: ShellDialect): string => {
  const { flagValues, flags, commands, values } = branchesOf(nodes, dialect);
  const paths = nodes.filter(({ path }) => path !== '').map(({ path }) => quoted(path));
  return `\
    if [[ -n $flag ]]; then
      flag=''
      continue
    fi
    if [[ $word == -* ]]; then
      case "$at $word" in
      ${flagsWithValues(nodes).map(quoted).join(' | ')}) flag=$word ;;
      esac
      continue
    fi
    case "\${at:+$at }$word" in
    ${paths.join(' | ')}) at="\${at:+$at }$word" ;;
    *) place=$((place + 1)) ;;
    esac
  done
  if [[ -n $flag ]]; then
    case "$at $flag" in
${flagValues.join('\n')}
    esac
  elif [[ $cur == -* ]]; then
    case "$at" in
${flags.join('\n')}
    esac
  else
    case "$at" in
${commands.join('\n')}
    esac
    case "$at $place" in
${values.join('\n')}
    esac
  fi`;
};

const BASH: ShellDialect = {
  ofValue: ({ choices, isFile }) => (isFile ? 'files=1' : `words=${quoted(choices.join(' '))}`),
  ofWords: (words) => `words=${quoted(words.map(({ name }) => name).join(' '))}`,
};

/**
 * A script for bash from 3.2 on, which has no `compopt` yet. Bash splits `--flag=value` into three words, of which the `=` is
 * skipped.
 */
export const bashScript = (
  nodes: readonly CommandNode[],
): string => `# Completion of gatehouse for bash: source <(npx --no gatehouse completion bash)
_gatehouse() {
  local cur=\${COMP_WORDS[COMP_CWORD]} at='' flag='' place=0 words='' files='' word i
  COMPREPLY=()
  [[ $cur == '=' ]] && cur=''
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    [[ $word == '=' ]] && continue
${bodyOf(nodes, BASH)}
  local IFS=$' \\t\\n'
  if [[ -n $files ]]; then
    compopt -o filenames 2>/dev/null
    IFS=$'\\n'
    COMPREPLY=($(compgen -f -- "$cur"))
  elif [[ -n $words ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
  fi
}
complete -F _gatehouse gatehouse
`;

/** The form of `_describe`: a colon separates the word from its description. */
const described = ({ name, description }: Word): string =>
  quoted(`${name.replaceAll(':', '\\:')}:${description}`);

const ZSH: ShellDialect = {
  ofValue: ({ choices, isFile }) => (isFile ? '_files' : `found=(${choices.map(quoted).join(' ')})`),
  ofWords: (words) => `found=(${words.map(described).join(' ')})`,
};

/**
 * A script for zsh, to source or to keep as _gatehouse in a folder of $fpath. From there zsh runs it at the first completion
 * as the body of `_gatehouse`, and expects that it completes the word at once.
 */
export const zshScript = (nodes: readonly CommandNode[]): string => `#compdef gatehouse
# Completion of gatehouse for zsh: source <(npx --no gatehouse completion zsh)
_gatehouse() {
  local cur=$words[CURRENT] at='' flag='' word
  local -a found
  integer place=0 i
  for ((i = 2; i < CURRENT; i++)); do
    word=$words[i]
${bodyOf(nodes, ZSH)}
  (( $#found )) && _describe -t values 'gatehouse' found
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _gatehouse "$@"
else
  compdef _gatehouse gatehouse
fi
`;
