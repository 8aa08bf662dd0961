import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compositionSettings } from '../support/composition.ts';
import { easySettings } from '../support/service.ts';
import { makeSlots } from '../support/slots.ts';
import { root } from '../support/tree/root.ts';
import { until } from '../support/until.ts';

const CHILD = fileURLToPath(new URL('./commands.child.js', import.meta.url));
/** The text that the shared process prints after each command. */
const END = '\0end\n';

export interface SentCommand {
  readonly folder: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly end: string;
}

export interface Output {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Options {
  readonly env?: Readonly<Record<string, string>>;
}

const envFor = (folder: string, { env }: Options): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  ...easySettings,
  ...compositionSettings(folder),
  ...env,
});

/** Collects the output of a process. */
const collectOutput = (child: ChildProcess) => {
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text;
    });
  return printed;
};

/** Runs the real command in a folder, as a process of its own, with `input` on its standard input. */
export const startCommand = async (
  folder: string,
  args: readonly string[],
  options: Options & { readonly input?: string } = {},
): Promise<Output> => {
  const command = [join(root, 'dist/cli/main-joined.js'), ...args];
  const child = spawn(process.execPath, command, { cwd: folder, env: envFor(folder, options) });
  const printed = collectOutput(child);
  // A command that does not read its input may end before the input is written.
  child.stdin.once('error', () => undefined).end(options.input ?? '');
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, ...printed };
};

/** Starts the process that runs this process's commands; it does not keep this process alive. */
const startShared = async () => {
  const child = fork(CHILD, ['--version'], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const ended = once(child, 'exit').then(() => undefined);
  const printed = collectOutput(child);
  await once(child, 'message');
  await until(() => printed.stdout !== '');
  child.unref();
  child.channel?.unref();
  for (const stream of [child.stdout, child.stderr]) (stream as Socket).unref();
  return { child, ended, printed };
};

let shared: ReturnType<typeof startShared> | undefined;
const runInTurn = makeSlots(1);

/** Runs a command in a folder, in a process that all commands share: starting a process takes longer than most commands. */
export const runCommand = (folder: string, args: readonly string[], options: Options = {}): Promise<Output> =>
  runInTurn(async () => {
    shared ??= startShared();
    const { child, ended, printed } = await shared;
    Object.assign(printed, { stdout: '', stderr: '' });
    child.ref();
    child.send({ folder, args, env: envFor(folder, options), end: END } satisfies SentCommand);
    const answer = await Promise.race([once(child, 'message'), ended]);
    child.unref();
    if (answer === undefined) throw new Error(`${args.join(' ')} ended the process: ${printed.stderr}`);
    await until(() => printed.stdout.endsWith(END) && printed.stderr.endsWith(END));
    const [stdout = '', stderr = ''] = [printed.stdout, printed.stderr].map((text) =>
      text.slice(0, -END.length),
    );
    return { status: Number(answer[0]), stdout, stderr };
  });

/** The documents that a command printed with `--json`, one on each line. */
export const documentsOf = ({ stdout }: Output): readonly Readonly<Record<string, unknown>>[] =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
