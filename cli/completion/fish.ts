import type { CommandNode, Value } from './tree.ts';

/** Quotes for fish, whose single quotes have two escapes. */
const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const COMPLETE = 'complete -c gatehouse';

/** `-r`: a value follows. `-F`, `-f`: fish offers files, or none. `-x`: `-r` and `-f`. `-a`: fish offers these words. */
const valueFlags = ({ choices, isFile }: Value): string => {
  if (isFile) return ' -r -F';
  return choices.length === 0 ? ' -x' : ` -x -a ${quoted(choices.join(' '))}`;
};

const linesOf = ({ path, commands, flags, values }: CommandNode): readonly string[] => {
  // The lines count only where the words typed so far name this command.
  const here = `${COMPLETE} -n ${quoted(`__gatehouse_at ${quoted(path)}`)}`;
  return [
    ...commands.map(({ name, description }) => `${here} -a ${name} -d ${quoted(description)}`),
    ...flags.map(({ name, description, value }) => {
      const valueOptions = value === null ? '' : valueFlags(value);
      return `${here} -l ${name.replace(/^--/, '')}${valueOptions} -d ${quoted(description)}`;
    }),
    ...values.flatMap(({ choices, isFile }) => {
      if (isFile) return [`${here} -F`];
      return choices.length === 0 ? [] : [`${here} -a ${quoted(choices.join(' '))}`];
    }),
  ];
};

/** A script for fish, to source or to keep as completions/gatehouse.fish. */
export const fishScript = (nodes: readonly CommandNode[]): string => {
  const paths = nodes.filter(({ path }) => path !== '').map(({ path }) => quoted(path));
  return `# Completion of gatehouse for fish: npx --no gatehouse completion fish | source
set -g __gatehouse_paths ${paths.join(' ')}
function __gatehouse_at
    set -l at ''
    for word in (commandline -opc)[2..-1]
        set -l next (string trim -- "$at $word")
        if contains -- $next $__gatehouse_paths
            set at $next
        end
    end
    test "$at" = "$argv[1]"
end
${COMPLETE} -f
${nodes.flatMap(linesOf).join('\n')}
`;
};
