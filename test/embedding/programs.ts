import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** Fast hashing and no log. */
export const FAST_SETTINGS = { LOG_LEVEL: 'silent', SCRYPT: 'ln=8,r=8,p=1' } as const;

/** Without the settings of the caller's environment. */
const env = (settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  ...FAST_SETTINGS,
  ...settings,
});

export interface Program {
  readonly child: ChildProcess;
  readonly out: () => string;
  /** Standard error, with the reason of a failure. */
  readonly err: () => string;
  /** Its exit code, once it has ended. */
  readonly ended: Promise<number | null>;
}

/** Starts a program of Node.js in a folder. */
export const startProgram = (
  folder: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Program => {
  const child = spawn(process.execPath, args, { cwd: folder, env: env(settings) });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    err += text;
  });
  return {
    child,
    out: () => out,
    err: () => err,
    ended: once(child, 'close').then(([code]) => code),
  };
};

/** Runs a program to its end and returns its output. Throws if it fails, with its standard error. */
export const runProgram = async (
  folder: string,
  args: readonly string[],
  settings?: Readonly<Record<string, string>>,
): Promise<string> => {
  const program = startProgram(folder, args, settings);
  const code = await program.ended;
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${program.err()}${program.out()}`);
  return program.out();
};
