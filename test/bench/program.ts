import { type ChildProcess, fork, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';

const running = new Set<ChildProcess>();

/** Ends the programs that an interrupted run leaves behind. */
export const endPrograms = (): void => {
  for (const child of running) child.kill('SIGKILL');
};

const track = (child: ChildProcess): ChildProcess => {
  running.add(child);
  return child.once('exit', () => running.delete(child));
};

/** Starts a command that `endPrograms` can end. */
export const spawnProgram = (command: string, args: readonly string[], options: SpawnOptions): ChildProcess =>
  track(spawn(command, args, options));

export interface Program<Answer> {
  readonly answer: Answer;
  readonly pid: number;
  /** Sends a further job and waits for its answer. The caller must await each answer before the next job. */
  ask<Job extends object, Next>(job: Job): Promise<Next>;
  end(): Promise<void>;
}

/** Starts a program of `programs/` with a job and waits for its answer; the program runs until it is ended. */
export const startProgram = async <Job extends object, Answer>(
  name: string,
  job: Job,
): Promise<Program<Answer>> => {
  const child = track(
    fork(new URL(`./programs/${name}.js`, import.meta.url), {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    }),
  );
  const ended = once(child, 'exit');
  const ask = <NextJob extends object, Next>(nextJob: NextJob): Promise<Next> => {
    child.send(nextJob);
    return Promise.race([
      once(child, 'message').then(([message]) => message as Next),
      ended.then(([code, signal]) => {
        throw new Error(`The program ${name} ended with ${signal ?? `code ${code}`} before it answered.`);
      }),
    ]);
  };
  const answer = await ask<Job, Answer>(job);
  return {
    answer,
    pid: child.pid ?? 0,
    ask,
    end: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
};

/** Starts a program, waits for its answer and ends it. */
export const runProgram = async <Job extends object, Answer>(name: string, job: Job): Promise<Answer> => {
  const program = await startProgram<Job, Answer>(name, job);
  await program.end();
  return program.answer;
};
