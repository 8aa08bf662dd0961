import { fork } from 'node:child_process';
import { makeHashRunner, type StartHashRunner } from './hash-runner.ts';

// Its own flags, so that an inspector's are not inherited; scrypt's memory is outside the heap that they limit.
const FLAGS = ['--max-old-space-size=16', '--max-semi-space-size=1'];

/**
 * Starts a hashing child process. It gets no environment, since that may hold secrets and flags, and no output, since
 * nothing it could say is free of passwords for certain.
 */
export const startHashChild: StartHashRunner = ({ niceness, deadline, onGone }) => {
  const program = new URL('./hash-worker.js', import.meta.url);
  const child = fork(program, [String(niceness)], {
    execArgv: FLAGS,
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const kill = () => void child.kill('SIGKILL');

  return makeHashRunner(
    {
      // Where there is no channel any more, or never was, the child's end is about to be told.
      send: (request) => void (child.connected && child.send(request, (error) => error && kill())),
      kill,
      hold: (held) => {
        for (const handle of [child, child.channel]) {
          if (held) handle?.ref();
          else handle?.unref();
        }
      },
      onKey: (listener) => void child.on('message', (key) => listener(String(key))),
      onEnd: (listener) => {
        child.once('exit', (code, signal) => listener(signal ?? `exit code ${code}`));
        child.on('error', () => listener('not started'));
      },
    },
    { deadline, onGone },
  );
};
