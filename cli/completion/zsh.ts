import { bodyOf, type ShellDialect } from './branches.ts';
import { type Place, quoted, type Word } from './tree.ts';

/** The form of `_describe`: a colon separates the word from its description. */
const described = ({ name, description }: Word): string =>
  quoted(`${name.replaceAll(':', '\\:')}:${description}`);

const DIALECT: ShellDialect = {
  ofValue: ({ choices, isFile }) => (isFile ? '_files' : `found=(${choices.map(quoted).join(' ')})`),
  ofWords: (words) => `found=(${words.map(described).join(' ')})`,
};

/** A script for zsh, to source or to keep as _gatehouse in a folder of $fpath. */
export const zshScript = (places: readonly Place[]): string => `#compdef gatehouse
# Completion of gatehouse for zsh: source <(npx --no gatehouse completion zsh)
_gatehouse() {
  local cur=$words[CURRENT] at='' flag='' word
  local -a found
  integer place=0 i
  for ((i = 2; i < CURRENT; i++)); do
    word=$words[i]
${bodyOf(places, DIALECT)}
  (( $#found )) && _describe -t values 'gatehouse' found
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _gatehouse "$@"
else
  compdef _gatehouse gatehouse
fi
`;
