import { flagsWithValues, type Place, quoted, type Value, type Word } from './tree.ts';

const isKnown = ({ choices, isFile }: Value) => isFile || choices.length > 0;

/** As `_describe` takes it: a colon parts the word from what it means. */
const described = ({ name, description }: Word): string =>
  quoted(`${name.replaceAll(':', '\\:')}:${description}`);

const answer = ({ choices, isFile }: Value): string =>
  isFile ? '_files' : `found=(${choices.map(quoted).join(' ')})`;

const branch = (pattern: string, answered: string): string => `      ${quoted(pattern)}) ${answered} ;;`;

/** A script for zsh, to be sourced, or kept as _gatehouse in a folder of $fpath. */
export const zshScript = (places: readonly Place[]): string => {
  const paths = places.filter(({ path }) => path !== '').map(({ path }) => quoted(path));
  const flagValues = places.flatMap(({ path, flags }) =>
    flags.flatMap(({ name, value }) =>
      value !== null && isKnown(value) ? [branch(`${path} ${name}`, answer(value))] : [],
    ),
  );
  const flags = places.map(({ path, flags }) => branch(path, `found=(${flags.map(described).join(' ')})`));
  const commands = places
    .filter((place) => place.commands.length > 0)
    .map((place) => branch(place.path, `found=(${place.commands.map(described).join(' ')})`));
  const values = places.flatMap(({ path, values }) =>
    values.flatMap((value, at) => (isKnown(value) ? [branch(`${path} ${at}`, answer(value))] : [])),
  );
  return `#compdef gatehouse
# Completion of gatehouse for zsh: source <(npx --no gatehouse completion zsh)
_gatehouse() {
  local at='' flag='' word
  local -a found
  integer place=0 i
  for ((i = 2; i < CURRENT; i++)); do
    word=$words[i]
    if [[ -n $flag ]]; then
      flag=''
      continue
    fi
    if [[ $word == -* ]]; then
      case "$at $word" in
      ${flagsWithValues(places).map(quoted).join('|')}) flag=$word ;;
      esac
      continue
    fi
    case "\${at:+$at }$word" in
    ${paths.join('|')}) at="\${at:+$at }$word" ;;
    *) place+=1 ;;
    esac
  done
  if [[ -n $flag ]]; then
    case "$at $flag" in
${flagValues.join('\n')}
    esac
  elif [[ $words[CURRENT] == -* ]]; then
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
  (( $#found )) && _describe -t values 'gatehouse' found
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _gatehouse "$@"
else
  compdef _gatehouse gatehouse
fi
`;
};
