import sinon from 'sinon';
import type { CommandContext, OperatorOptions } from '../../cli/context.ts';
import { makeProgram } from '../../cli/program.ts';
import type { Output } from './run-command.ts';

/** The actor of audit rows, unless a line has `--as`. */
export const OPERATOR = { actor: 'operator:cli', person: 'login' };

/** Runs some work in this process and collects its output on each stream and its exit code. */
export const collect = async (work: () => Promise<unknown>): Promise<Output> => {
  const { exitCode } = process;
  process.exitCode = 0;
  const streams = [process.stdout, process.stderr].map((stream) => sinon.stub(stream, 'write').returns(true));
  let status: number;
  try {
    await work();
  } finally {
    status = Number(process.exitCode);
    process.exitCode = exitCode;
    for (const stream of streams) stream.restore();
  }
  const [stdout = '', stderr = ''] = streams.map(({ args }) => args.map(([text]) => String(text)).join(''));
  return { status, stdout, stderr };
};

/** Runs a command line in this process with a product that has these calls. */
export const runLine = (
  line: readonly string[],
  product: object = {},
  tools: object = {},
): Promise<Output> => {
  const open = (job: (opened: never) => Promise<unknown>) => job(product as never);
  const by = ({ as, reason }: OperatorOptions) => ({
    ...OPERATOR,
    ...(as !== undefined && { person: as }),
    ...(reason !== undefined && { reason }),
  });
  const context = { by, lowerPriority: () => undefined, withChanges: open, withReadOnly: open, ...tools };
  const program = makeProgram(context as unknown as CommandContext);
  return collect(() => program.parseAsync(line, { from: 'user' }));
};

/** The lines of a table, the cells of each joined by bars. */
export const rowsOf = (table: string): readonly string[] =>
  table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/ {2,}/).join('|'));

/** An object with a call at the end of a path such as `files.operate.clearCache`. */
export const withCall = (path: string, call: unknown): object => {
  const [name = '', ...rest] = path.split('.');
  return { [name]: rest.length === 0 ? call : withCall(rest.join('.'), call) };
};

/** Does some work while a stream looks like a terminal of this width. */
export const onTerminal = async <T>(
  stream: NodeJS.WriteStream,
  columns: number,
  work: () => Promise<T>,
): Promise<T> => {
  const restores = Object.entries({ isTTY: true, columns }).map(([name, value]) => {
    const before = Object.getOwnPropertyDescriptor(stream, name);
    Object.defineProperty(stream, name, { value, configurable: true });
    return () => {
      Reflect.deleteProperty(stream, name);
      if (before !== undefined) Object.defineProperty(stream, name, before);
    };
  });
  try {
    return await work();
  } finally {
    for (const restore of restores) restore();
  }
};

interface Work {
  readonly name: string;
  readonly done: string;
  readonly target: string;
  run(
    recordStart: () => Promise<void>,
  ): Promise<{ readonly answer: unknown; readonly after: object; readonly made?: string }>;
}

/** The actions, target and outcome of the work that was last recorded in the audit log. */
export const recorded: {
  name?: string;
  done?: string;
  target?: string;
  after?: object;
  made?: string;
  started?: boolean;
} = {};

/** Stands for the operators' call `recordWork`, and stores its arguments and outcome in `recorded`. */
export const recordWork = async ({ run, ...names }: Work): Promise<unknown> => {
  let started = false;
  const { answer, ...outcome } = await run(async () => {
    started = true;
  });
  delete recorded.made;
  Object.assign(recorded, names, outcome, { started });
  return answer;
};
