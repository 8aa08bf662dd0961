const MARK = '▸ ';

/** Prints a figure that a test measured. The runner shows it also where the file passes. */
export const figure = (text: string): void => console.log(`${MARK}${text}`);

/** The figures among what a file printed. */
export const figuresIn = (output: string): readonly string[] =>
  output.split('\n').filter((line) => line.startsWith(MARK));
