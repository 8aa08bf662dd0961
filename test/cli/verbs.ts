import type { Command } from 'commander';

export interface Verb {
  readonly name: string;
  readonly command: Command;
}

/** All verbs below a command, with their full names. */
export const verbsOf = (command: Command, path: readonly string[] = []): readonly Verb[] =>
  command.commands.length === 0
    ? [{ name: path.join(' '), command }]
    : command.commands.flatMap((inner) => verbsOf(inner, [...path, inner.name()]));
