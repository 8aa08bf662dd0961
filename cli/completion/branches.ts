import { type Place, quoted, type Value, type Word } from './tree.ts';

/** How a shell script offers the words of a position. */
export interface Answers {
  readonly ofValue: (value: Value) => string;
  readonly ofWords: (words: readonly Word[]) => string;
}

const branch = (pattern: string, answer: string): string => `      ${quoted(pattern)}) ${answer} ;;`;

/** The script knows the allowed words of a value, or that it is a file. */
const branchOf = (pattern: string, value: Value, { ofValue }: Answers): readonly string[] =>
  value.isFile || value.choices.length > 0 ? [branch(pattern, ofValue(value))] : [];

/** The branches of each `case` in a script for sh-like shells, one per line. */
export const branchesOf = (places: readonly Place[], answers: Answers) => ({
  flagValues: places.flatMap(({ path, flags }) =>
    flags.flatMap(({ name, value }) => (value === null ? [] : branchOf(`${path} ${name}`, value, answers))),
  ),
  flags: places.map(({ path, flags }) => branch(path, answers.ofWords(flags))),
  commands: places.flatMap(({ path, commands }) =>
    commands.length > 0 ? [branch(path, answers.ofWords(commands))] : [],
  ),
  values: places.flatMap(({ path, values }) =>
    values.flatMap((value, at) => branchOf(`${path} ${at}`, value, answers)),
  ),
});

/** The paths of all commands except the program itself, as patterns of a `case`. */
export const pathsOf = (places: readonly Place[]): readonly string[] =>
  places.filter(({ path }) => path !== '').map(({ path }) => quoted(path));
