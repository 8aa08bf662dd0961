import type { ImportedHashScheme } from './imported/imported-hash.ts';

/** The message that asks for one hash. */
export interface HashRequest {
  readonly password: string;
  /** Base64. */
  readonly salt: string;
  readonly length: number;
  readonly scheme: (ScryptOptions & { readonly kind: 'scrypt' }) | ImportedHashScheme;
  /** The options of new hashes: every other hash is extended to take at least as long. Null: the hash is only measured. */
  readonly standard: ScryptOptions | null;
}

/** The message that answers a request. */
export interface HashAnswer {
  /** Base64. */
  readonly key: string;
  /** Milliseconds that the algorithm took, measured by `HashEngine.usedTime`, without the time by which it was extended. */
  readonly took: number;
}

export interface ScryptOptions {
  readonly N: number;
  readonly r: number;
  readonly p: number;
  /** Bytes that the run may take. */
  readonly maxmem: number;
}

/** A process or thread that hashes, one password at a time. */
export interface HashRunner {
  /** Undefined if the runner died or was killed before it answered. */
  derive(request: HashRequest): Promise<HashAnswer | undefined>;
  /** Ends it at once. */
  end(): Promise<void>;
}

export interface RunnerOptions {
  /** The niceness of a process, 0 to 19. Threads have the priority of their process. */
  readonly niceness: number;
  /** Milliseconds for one hash, after which the runner is taken to hang and is killed. */
  readonly deadline: number;
  /** Called once with the reason of the end: signal, exit code, failed start, error of a thread, or no answer in time. */
  readonly onGone: (reason: string) => void;
}

export type StartHashRunner = (options: RunnerOptions) => HashRunner;

/** A process or a thread, as far as a runner needs it. */
export interface Carrier {
  send(request: HashRequest): void;
  kill(): void;
  /** Sets whether the runner keeps this process alive. */
  keepAlive(keepsAlive: boolean): void;
  onAnswer(listener: (answer: HashAnswer) => void): void;
  onEnd(listener: (reason: string) => void): void;
}

/** Makes a runner on a carrier. It keeps this process alive only while it hashes, and from `end` on until it has ended. */
export const makeHashRunner = (
  carrier: Carrier,
  { deadline, onGone }: Pick<RunnerOptions, 'deadline' | 'onGone'>,
): HashRunner => {
  let isGone = false;
  let hasHung = false;
  let settle = (_answer: HashAnswer | undefined) => {};

  const ended = new Promise<void>((resolve) => {
    carrier.onEnd((reason) => {
      if (isGone) return;
      isGone = true;
      settle(undefined);
      onGone(hasHung ? 'no answer in time' : reason);
      resolve();
    });
  });
  carrier.onAnswer((answer) => settle(answer));
  carrier.keepAlive(false);

  return {
    derive: (request) =>
      new Promise((resolve) => {
        if (isGone) return resolve(undefined);
        const deadlineTimer = setTimeout(() => {
          hasHung = true;
          carrier.kill();
        }, deadline);
        settle = (answer) => {
          clearTimeout(deadlineTimer);
          carrier.keepAlive(false);
          resolve(answer);
        };
        carrier.keepAlive(true);
        carrier.send(request);
      }),
    end: () => {
      carrier.keepAlive(true);
      carrier.kill();
      return ended;
    },
  };
};
