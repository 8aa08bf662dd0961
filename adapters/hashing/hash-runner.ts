import type { ForeignScheme } from './foreign/foreign-hash.ts';

/** The message that asks for one hash. The answer is the key in Base64. */
export interface HashRequest {
  readonly password: string;
  /** Base64. */
  readonly salt: string;
  readonly length: number;
  readonly scheme: (ScryptOptions & { readonly kind: 'scrypt' }) | ForeignScheme;
  /** A hash of ours: every other one takes at least as long. */
  readonly standard: ScryptOptions;
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
  /** Undefined if it died before it answered, or was killed since it did not answer in time. */
  derive(request: HashRequest): Promise<Uint8Array | undefined>;
  /** Ends it at once. */
  end(): Promise<void>;
}

export interface RunnerOptions {
  /** Of a process, 0 to 19. Threads have the priority of their process. */
  readonly niceness: number;
  /** Milliseconds for one hash, after which the runner is taken to hang and is killed. */
  readonly deadline: number;
  /** Called once, with the signal or exit code it ended by, or that it hung. */
  readonly onGone: (reason: string) => void;
}

export type StartHashRunner = (options: RunnerOptions) => HashRunner;

/** What differs between a process and a thread. */
export interface Carrier {
  send(request: HashRequest): void;
  kill(): void;
  /** Lets it keep this process alive, or no longer. */
  hold(held: boolean): void;
  onKey(listener: (key: string) => void): void;
  onEnd(listener: (reason: string) => void): void;
}

/** A runner on that carrier, which keeps this process alive only while it hashes. */
export const makeHashRunner = (
  carrier: Carrier,
  { deadline, onGone }: Pick<RunnerOptions, 'deadline' | 'onGone'>,
): HashRunner => {
  let isGone = false;
  let hung = false;
  let settle = (_key: Uint8Array | undefined) => {};

  const gone = new Promise<void>((resolve) => {
    carrier.onEnd((reason) => {
      if (isGone) return;
      isGone = true;
      settle(undefined);
      onGone(hung ? 'no answer in time' : reason);
      resolve();
    });
  });
  carrier.onKey((key) => settle(Buffer.from(key, 'base64')));
  carrier.hold(false);

  return {
    derive: (request) =>
      new Promise((resolve) => {
        if (isGone) return resolve(undefined);
        const late = setTimeout(() => {
          hung = true;
          carrier.kill();
        }, deadline);
        settle = (key) => {
          clearTimeout(late);
          carrier.hold(false);
          resolve(key);
        };
        carrier.hold(true);
        carrier.send(request);
      }),
    end: () => {
      carrier.hold(true);
      carrier.kill();
      return gone;
    },
  };
};
