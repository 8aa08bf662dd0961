import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Kills a program and waits for its end; does nothing if it has ended or was never started. */
export const killProgram = async (child: ChildProcess | undefined): Promise<void> => {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
};
