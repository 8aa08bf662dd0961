/** Where results go; messages for people go to standard error. */
export interface Output {
  /** One thing: a table of names and values, or one JSON document. */
  one(thing: Readonly<Record<string, string | number | boolean | null>>): void;
  /** What was done, said to people; as JSON, a document. */
  done(message: string, thing: Readonly<Record<string, string | number | boolean | null>>): void;
}

const out = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** Plain columns on a terminal and in a pipe alike; JSON where it was asked for. */
export const makeOutput = (json: boolean): Output => ({
  one: (thing) => {
    if (json) {
      out(JSON.stringify(thing));
      return;
    }
    const width = Math.max(0, ...Object.keys(thing).map((name) => name.length));
    for (const [name, value] of Object.entries(thing)) out(`${name.padEnd(width)}  ${value}`);
  },
  done: (message, thing) => {
    if (json) out(JSON.stringify(thing));
    else process.stderr.write(`${message}\n`);
  },
});
