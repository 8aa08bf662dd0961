import { flagsWithValues, type Place, quoted, type Value, type Word } from './tree.ts';

/** How a shell script offers the words of a position. */
export interface Answers {
  readonly ofValue: (value: Value) => string;
  readonly ofWords: (words: readonly Word[]) => string;
}

const branch = (pattern: string, answer: string): string => `      ${quoted(pattern)}) ${answer} ;;`;

/** The script knows the allowed words of a value, or that it is a file. */
const branchOf = (pattern: string, value: Value, { ofValue }: Answers): readonly string[] =>
  value.isFile || value.choices.length > 0 ? [branch(pattern, ofValue(value))] : [];

/** The branches of each `case`, one per line. */
const branchesOf = (places: readonly Place[], answers: Answers) => ({
  flagValues: places.flatMap(({ path, flags }) =>
    flags.flatMap(({ name, value }) => (value === null ? [] : branchOf(`${path} ${name}`, value, answers))),
  ),
  flags: places.map(({ path, flags }) => branch(path, answers.ofWords(flags))),
  commands: places.flatMap(({ path, commands }) =>
    commands.length > 0 ? [branch(path, answers.ofWords(commands))] : [],
  ),
  values: places.flatMap(({ path, values }) =>
    values.flatMap((value, at) => branchOf(`${path} ${at}`, value, answers)),
  ),
});

/**
 * What sh-like shells do in the same way: the rest of a loop over the words before the current one, `$word` each, and
 * then the answers for the current one, `$cur`. The script sets both, and `at`, `flag` and `place` to nothing.
 */
export const bodyOf = (places: readonly Place[], answers: Answers): string => {
  const { flagValues, flags, commands, values } = branchesOf(places, answers);
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
