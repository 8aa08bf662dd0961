import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { OtherProcess } from '../../../contracts/limiter.ts';

/** What the child says next; fails when it ends instead. */
const nextFrom = (child: ChildProcess) =>
  new Promise<unknown>((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`The child ended with ${code}`)));
  });

/** Starts a program that takes as it is told, and waits until it is ready. */
export const forkLimiter = async (
  file: string,
  args: readonly string[],
): Promise<OtherProcess & { end(): Promise<void> }> => {
  const child = fork(file, args);
  await nextFrom(child);
  return {
    allowed: async (bucket, key, calls) => {
      child.send({ bucket, key, calls });
      return Number(await nextFrom(child));
    },
    end: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
};
