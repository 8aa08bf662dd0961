import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Bucket, Limiter } from '../../../../core/ports.ts';
import type { OtherProcess } from '../../../contracts/limiter.ts';
import { race } from '../../../contracts/race.ts';
import { unawaited } from '../../../support/unawaited.ts';

/** Returns the next message of the child; rejects if the child exits instead. */
const nextMessage = (child: ChildProcess) =>
  new Promise<unknown>((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`The child ended with ${code}`)));
  });

/** A request from the parent to a child. */
interface TakeMany {
  readonly bucket: Bucket;
  readonly key: string;
  readonly calls: number;
}

/** Makes this child process take from the limiter on its parent's requests. */
export const serveParent = (limiter: Limiter & { close(): unknown }): void => {
  process.on(
    'message',
    unawaited(async (message) => {
      const { bucket, key, calls } = message as TakeMany;
      const answers = await race(calls, () => limiter.take(bucket, key));
      process.send?.(answers.filter((answer) => answer.allowed).length);
    }),
  );
  process.once('disconnect', () => void limiter.close());
  process.send?.('ready');
};

/** Starts a program that calls `serveParent`, and waits until it is ready. */
const forkLimiter = async (
  file: string,
  args: readonly string[],
): Promise<OtherProcess & { end(): Promise<void> }> => {
  const child = fork(file, args);
  await nextMessage(child);
  return {
    allowed: async (bucket, key, calls) => {
      child.send({ bucket, key, calls });
      return Number(await nextMessage(child));
    },
    end: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.disconnect();
      await exit;
    },
  };
};

/** Starts such programs for one test. */
export const makeForks = (file: string, argumentsFor: () => readonly string[]) => {
  const children: { end(): Promise<void> }[] = [];
  return {
    fork: async (): Promise<OtherProcess> => {
      const child = await forkLimiter(file, argumentsFor());
      children.push(child);
      return child;
    },
    endForks: () => Promise.all(children.map((child) => child.end())),
  };
};
