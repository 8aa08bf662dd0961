import { fork } from 'node:child_process';
import { type HashAnswer, makeHashRunner, type StartHashRunner } from './runner-with-deadline.ts';

// A child with flags of its own does not inherit those of this process, such as an inspector's. These limit its heap; the memory
// of scrypt is outside the heap.
const FLAGS = ['--max-old-space-size=16', '--max-semi-space-size=1'];

/** The child gets no environment, which may hold secrets and flags, and no output, which might contain passwords. */
export const startChildProcessRunner: StartHashRunner = ({ niceness, deadline, onGone }) => {
  const program = new URL('./child-process-program.js', import.meta.url);
  const child = fork(program, [String(niceness)], {
    execArgv: FLAGS,
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const kill = () => void child.kill('SIGKILL');

  return makeHashRunner(
    {
      send: (request) => {
        // Without a channel the `exit` or `error` event of the child is about to come.
        if (child.connected) child.send(request, (error) => error && kill());
      },
      kill,
      keepAlive: (keepsAlive) => {
        for (const handle of [child, child.channel]) {
          if (keepsAlive) handle?.ref();
          else handle?.unref();
        }
      },
      onAnswer: (listener) => void child.on('message', (answer) => listener(answer as HashAnswer)),
      onEnd: (listener) => {
        child.once('exit', (code, signal) => listener(signal ?? `exit code ${code}`));
        child.on('error', () => listener('not started'));
      },
    },
    { deadline, onGone },
  );
};
