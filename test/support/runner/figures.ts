const MARK = '▸ ';

/** Prints a figure that a test measured. The runner shows it even if the file passes. */
export const figure = (text: string): void => console.log(`${MARK}${text}`);

/** The figures in the output of a file. */
export const figuresIn = (output: string): readonly string[] =>
  output.split('\n').filter((line) => line.startsWith(MARK));
