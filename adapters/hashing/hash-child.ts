import { fork } from 'node:child_process';
import type { ScryptOptions } from 'node:crypto';

/** The message that asks a child for one hash; it is answered with the key in Base64. */
export interface HashRequest {
  readonly password: string;
  /** Base64. */
  readonly salt: string;
  readonly length: number;
  /** The first run gives the key; the others are for the time they take. */
  readonly runs: readonly ScryptOptions[];
}

export interface HashChild {
  /** One at a time. Undefined when the child died before it answered, or was killed since it did not answer in time. */
  derive(request: HashRequest): Promise<Uint8Array | undefined>;
  /** Ends it at once. */
  end(): Promise<void>;
}

const PROGRAM = new URL('./hash-worker.js', import.meta.url);

// Its own flags, so that an inspector's are not inherited; scrypt's memory is outside the heap that they limit.
const FLAGS = ['--max-old-space-size=16', '--max-semi-space-size=1'];

/**
 * Starts a hashing child. It keeps this process alive only while it hashes. It gets no environment, since that may
 * hold secrets and flags, and no output, since nothing it could say is free of passwords for certain.
 */
export const startHashChild = (given: {
  readonly niceness: number;
  /** Milliseconds for one hash, after which the child is taken to hang and is killed. */
  readonly deadline: number;
  /** Called once, with the signal or exit code it ended by, or that it hung. */
  readonly onGone: (reason: string) => void;
}): HashChild => {
  const { niceness, deadline, onGone } = given;
  const child = fork(PROGRAM, [String(niceness)], {
    execArgv: FLAGS,
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  let isGone = false;
  let hung = false;
  let settle = (_key: Uint8Array | undefined) => {};

  const rest = () => {
    child.unref();
    child.channel?.unref();
  };
  const gone = new Promise<void>((resolve) => {
    const leave = (reason: string) => {
      if (isGone) return;
      isGone = true;
      settle(undefined);
      onGone(reason);
      resolve();
    };
    child.once('exit', (code, signal) => leave(hung ? 'no answer in time' : (signal ?? `exit code ${code}`)));
    child.on('error', () => leave('not started'));
  });
  child.on('message', (key) => settle(Buffer.from(String(key), 'base64')));
  rest();

  return {
    derive: (request) =>
      new Promise((resolve) => {
        if (isGone) return resolve(undefined);
        const late = setTimeout(() => {
          hung = true;
          child.kill('SIGKILL');
        }, deadline);
        settle = (key) => {
          clearTimeout(late);
          rest();
          resolve(key);
        };
        child.ref();
        child.channel?.ref();
        // Where there is no channel any more, or never was, the child's end is about to be told.
        if (child.connected) child.send(request, (error) => error && child.kill('SIGKILL'));
      }),
    end: () => {
      child.ref();
      child.kill('SIGKILL');
      return gone;
    },
  };
};
