import { flagsWithValues, type Place, quoted, type Value, type Word } from './tree.ts';

/** How a shell script offers the words of a position. */
export interface ShellDialect {
  readonly ofValue: (value: Value) => string;
  readonly ofWords: (words: readonly Word[]) => string;
}

const branch = (pattern: string, command: string): string => `      ${quoted(pattern)}) ${command} ;;`;

/** A branch for a value with allowed words, or for a file. */
const branchOf = (pattern: string, value: Value, { ofValue }: ShellDialect): readonly string[] =>
  value.isFile || value.choices.length > 0 ? [branch(pattern, ofValue(value))] : [];

/** The branches of each `case`, one per line. */
const branchesOf = (places: readonly Place[], dialect: ShellDialect) => ({
  flagValues: places.flatMap(({ path, flags }) =>
    flags.flatMap(({ name, value }) => (value === null ? [] : branchOf(`${path} ${name}`, value, dialect))),
  ),
  flags: places.map(({ path, flags }) => branch(path, dialect.ofWords(flags))),
  commands: places.flatMap(({ path, commands }) =>
    commands.length > 0 ? [branch(path, dialect.ofWords(commands))] : [],
  ),
  values: places.flatMap(({ path, values }) =>
    values.flatMap((value, at) => branchOf(`${path} ${at}`, value, dialect)),
  ),
});

/**
 * The code that sh-like shells share: the rest of a loop over the words before the current one, each in `$word`, and then
 * the completions of the current word `$cur`. The script sets both, and empties `at`, `flag` and `place`.
 */
export const bodyOf = (places: readonly Place[], dialect: ShellDialect): string => {
  const { flagValues, flags, commands, values } = branchesOf(places, dialect);
  const paths = places.filter(({ path }) => path !== '').map(({ path }) => quoted(path));
  return `\
    if [[ -n $flag ]]; then
      flag=''
      continue
    fi
    if [[ $word == -* ]]; then
      case "$at $word" in
      ${flagsWithValues(places).map(quoted).join(' | ')}) flag=$word ;;
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
