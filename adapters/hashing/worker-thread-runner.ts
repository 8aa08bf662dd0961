import { Worker } from 'node:worker_threads';
import { type HashAnswer, makeHashRunner, type StartHashRunner } from './runner-with-deadline.ts';

/** Like a hashing child, the thread gets no environment. Its output is not shown: `true` sends it to streams nobody reads. */
export const startWorkerThreadRunner: StartHashRunner = ({ deadline, onGone }) => {
  const program = new URL('./worker-thread-program.js', import.meta.url);
  const thread = new Worker(program, { env: {}, execArgv: [], stdin: false, stdout: true, stderr: true });

  return makeHashRunner(
    {
      send: (request) => thread.postMessage(request),
      kill: () => void thread.terminate(),
      keepAlive: (keepsAlive) => {
        if (keepsAlive) thread.ref();
        else thread.unref();
      },
      onAnswer: (listener) => void thread.on('message', (answer: HashAnswer) => listener(answer)),
      onEnd: (listener) => {
        thread.on('error', () => listener('error'));
        thread.once('exit', (code) => listener(`exit code ${code}`));
      },
    },
    { deadline, onGone },
  );
};
