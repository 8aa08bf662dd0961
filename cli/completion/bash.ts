import { bodyOf, type ShellDialect } from './branches.ts';
import { type Place, quoted } from './tree.ts';

const DIALECT: ShellDialect = {
  ofValue: ({ choices, isFile }) => (isFile ? 'files=1' : `words=${quoted(choices.join(' '))}`),
  ofWords: (words) => `words=${quoted(words.map(({ name }) => name).join(' '))}`,
};

/** A script for bash from 3.2 on. */
export const bashScript = (
  places: readonly Place[],
): string => `# Completion of gatehouse for bash: source <(npx --no gatehouse completion bash)
_gatehouse() {
  local cur=\${COMP_WORDS[COMP_CWORD]} at='' flag='' place=0 words='' files='' word i
  COMPREPLY=()
  [[ $cur == '=' ]] && cur=''
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    [[ $word == '=' ]] && continue
${bodyOf(places, DIALECT)}
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
