import type { Argument, Command, Option } from 'commander';

export interface Word {
  readonly name: string;
  readonly description: string;
}

/** What a value may be: one of some words, a file or folder, or any text. */
export interface Value {
  readonly choices: readonly string[];
  readonly isFile: boolean;
}

export interface Flag extends Word {
  /** Null for a flag without a value. */
  readonly value: Value | null;
}

/** A command with the words and options that may follow it. */
export interface CommandNode {
  /** The words after the program's name, such as `users list`. Empty for the program itself. */
  readonly path: string;
  readonly commands: readonly Word[];
  readonly flags: readonly Flag[];
  /** The arguments, in order. */
  readonly values: readonly Value[];
}

const toValue = (isFile: boolean, choices: readonly string[] | undefined): Value => ({
  choices: choices ?? [],
  isFile,
});

const flagOf = (option: Option): Flag => ({
  name: option.long ?? option.flags,
  description: option.description,
  // In commander, an option is `required` or `optional` if its value is.
  value:
    option.required || option.optional ? toValue(option.flags.includes('<file>'), option.argChoices) : null,
});

const argumentOf = (argument: Argument): Value =>
  toValue(['file', 'folder'].includes(argument.name()), argument.argChoices);

const HELP = { name: '--help', description: 'display help', value: null };

/** Every command of the program, the program first. */
export const nodesOf = (command: Command, path: readonly string[] = []): readonly CommandNode[] => [
  {
    path: path.join(' '),
    commands: command.commands.map((inner) => ({ name: inner.name(), description: inner.description() })),
    flags: [...command.options.map(flagOf), HELP],
    values: command.registeredArguments.map(argumentOf),
  },
  ...command.commands.flatMap((inner) => nodesOf(inner, [...path, inner.name()])),
];
