import { type Answers, branchesOf, pathsOf } from './branches.ts';
import { flagsWithValues, type Place, quoted, type Word } from './tree.ts';

/** The form of `_describe`: a colon separates the word from its description. */
const described = ({ name, description }: Word): string =>
  quoted(`${name.replaceAll(':', '\\:')}:${description}`);

const ANSWERS: Answers = {
  ofValue: ({ choices, isFile }) => (isFile ? '_files' : `found=(${choices.map(quoted).join(' ')})`),
  ofWords: (words) => `found=(${words.map(described).join(' ')})`,
};

/** A script for zsh, to source or to keep as _gatehouse in a folder of $fpath. */
export const zshScript = (places: readonly Place[]): string => {
  const { flagValues, flags, commands, values } = branchesOf(places, ANSWERS);
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
    ${pathsOf(places).join('|')}) at="\${at:+$at }$word" ;;
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
