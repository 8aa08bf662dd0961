import { type Answers, branchesOf, pathsOf } from './branches.ts';
import { flagsWithValues, type Place, quoted } from './tree.ts';

const ANSWERS: Answers = {
  ofValue: ({ choices, isFile }) => (isFile ? 'files=1' : `words=${quoted(choices.join(' '))}`),
  ofWords: (words) => `words=${quoted(words.map(({ name }) => name).join(' '))}`,
};

/** A script for bash from 3.2 on. */
export const bashScript = (places: readonly Place[]): string => {
  const { flagValues, flags, commands, values } = branchesOf(places, ANSWERS);
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
    ${pathsOf(places).join(' | ')}) at="\${at:+$at }$word" ;;
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
