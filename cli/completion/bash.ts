import { flagsWithValues, type Place, quoted, type Value } from './tree.ts';

const answer = ({ choices, isFile }: Value): string =>
  isFile ? 'files=1' : `words=${quoted(choices.join(' '))}`;

const isKnown = ({ choices, isFile }: Value) => isFile || choices.length > 0;

const branch = (pattern: string, answered: string): string => `      ${quoted(pattern)}) ${answered} ;;`;

/** A script for bash from 3.2 on. */
export const bashScript = (places: readonly Place[]): string => {
  const paths = places.filter(({ path }) => path !== '').map(({ path }) => quoted(path));
  const flagValues = places.flatMap(({ path, flags }) =>
    flags.flatMap(({ name, value }) =>
      value !== null && isKnown(value) ? [branch(`${path} ${name}`, answer(value))] : [],
    ),
  );
  const flags = places.map(({ path, flags }) =>
    branch(path, `words=${quoted(flags.map(({ name }) => name).join(' '))}`),
  );
  const commands = places
    .filter((place) => place.commands.length > 0)
    .map((place) => branch(place.path, `words=${quoted(place.commands.map(({ name }) => name).join(' '))}`));
  const values = places.flatMap(({ path, values }) =>
    values.flatMap((value, at) => (isKnown(value) ? [branch(`${path} ${at}`, answer(value))] : [])),
  );
  return `# Completion of gatehouse for bash: source <(npx --no gatehouse completion bash)
_gatehouse() {
  local cur=\${COMP_WORDS[COMP_CWORD]} at='' flag='' place=0 words='' files='' word i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    [[ $word == '=' ]] && continue
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
  [[ $cur == '=' ]] && cur=''
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
  fi
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
};
