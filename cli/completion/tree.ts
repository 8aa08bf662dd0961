import type { Argument, Command, Option } from 'commander';

export interface Word {
  readonly name: string;
  readonly description: string;
}

/** What a value may be: words to choose from, a file, or anything else. */
export interface Value {
  readonly choices: readonly string[];
  readonly isFile: boolean;
}

export interface Flag extends Word {
  /** Null where it takes none. */
  readonly value: Value | null;
}

/** A command with what may stand behind it. */
export interface Place {
  /** Its words behind the program's name, such as `users list`; empty for the program itself. */
  readonly path: string;
  readonly commands: readonly Word[];
  readonly flags: readonly Flag[];
  readonly values: readonly Value[];
}

const toValue = (name: string, choices: readonly string[] | undefined): Value => ({
  choices: choices ?? [],
  isFile: name === 'file',
});

const flagOf = (option: Option): Flag => ({
  name: option.long ?? option.flags,
  description: option.description,
  value: option.required || option.optional ? toValue(option.attributeName(), option.argChoices) : null,
});

const argumentOf = (argument: Argument): Value => toValue(argument.name(), argument.argChoices);

const HELP = { name: '--help', description: 'say what there is', value: null };

/** Every command of the program, the program first. */
export const placesOf = (command: Command, path: readonly string[] = []): readonly Place[] => [
  {
    path: path.join(' '),
    commands: command.commands.map((inner) => ({ name: inner.name(), description: inner.description() })),
    flags: [...command.options.map(flagOf), HELP],
    values: command.registeredArguments.map(argumentOf),
  },
  ...command.commands.flatMap((inner) => placesOf(inner, [...path, inner.name()])),
];

/** In single quotes, for a shell of the family of sh. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The paths whose flag takes a value, each with the flag: patterns of a `case`. */
export const flagsWithValues = (places: readonly Place[]): readonly string[] =>
  places.flatMap(({ path, flags }) =>
    flags.filter(({ value }) => value !== null).map(({ name }) => `${path} ${name}`),
  );
