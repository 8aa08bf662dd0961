import type { Command } from 'commander';
import type { CommandContext } from '../../../cli/context.ts';
import { makeProgram } from '../../../cli/program.ts';

/** Describes what is wrong with a call of the `gatehouse` command; undefined if it is valid. */
export const wrongInCommand = (words: readonly string[]): string | undefined => {
  const [noun = '', verb = ''] = words;
  const nounCommand: Command | undefined = makeProgram({} as CommandContext).commands.find(
    (command) => command.name() === noun,
  );
  if (nounCommand === undefined) return `There is no command ${noun}.`;
  const command =
    nounCommand.commands.length === 0
      ? nounCommand
      : nounCommand.commands.find((command) => command.name() === verb);
  if (command === undefined) return `There is no command ${noun} ${verb}.`;
  const options = command.options.map(({ long }) => long);
  const unknown = words.find((word) => word.startsWith('--') && word !== '--help' && !options.includes(word));
  return unknown && `${words.join(' ')} has no option ${unknown}.`;
};
