import type { Worker } from 'node:cluster';

/** A worker asks for a poll; the answer of the primary process has the same id. */
interface PollMessage {
  readonly poll: number;
}

const isPollMessage = (message: unknown): message is PollMessage =>
  typeof message === 'object' && message !== null && 'poll' in message;

let latest = 0;

/**
 * In a worker: waits until the primary process, which accepts the connections of all workers, has polled the listening sockets
 * once more, and this worker has got the connections that it was given before. A primary process that was stopped or had no
 * processor accepts nothing, and its workers would take that for quiet. Resolves after `timeoutMs` at the latest.
 */
export const pollPrimary = (timeoutMs: number): Promise<void> =>
  new Promise((resolve) => {
    latest += 1;
    const id = latest;
    const settle = () => {
      clearTimeout(timer);
      process.off('message', check);
      resolve();
    };
    const check = (message: unknown) => {
      if (isPollMessage(message) && message.poll === id) settle();
    };
    const timer = setTimeout(settle, timeoutMs);
    process.on('message', check);
    // Sending fails when the primary process has ended, and this process then ends too.
    process.send?.({ poll: id } satisfies PollMessage, undefined, undefined, () => undefined);
  });

/** In the primary process: answers the polls of a worker. */
export const answerPolls = (worker: Worker): void => {
  worker.on('message', (message: unknown) => {
    // Runs after the next poll. Messages and connections reach the worker in the order in which they are sent.
    if (isPollMessage(message)) setImmediate(() => worker.send(message, () => undefined));
  });
};
