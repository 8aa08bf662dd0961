import { startChildProcessRunner } from '../../adapters/hashing/child-process-runner.ts';
import type { HashRunner, StartHashRunner } from '../../adapters/hashing/runner-with-deadline.ts';

/** A hashing child that pools use one after another. */
interface SharedChild {
  readonly runner: HashRunner;
  readonly deadline: number;
  onGone: (reason: string) => void;
  isGone: boolean;
}

/** Children that no pool uses now. They do not keep this process alive, and end with it. */
const free: SharedChild[] = [];

/**
 * The child has the priority of the run: beside a dozen busy processes a lower one takes seconds to start, and the pool
 * refuses whoever waits so long.
 */
const startChild = ({ deadline, onGone }: Parameters<StartHashRunner>[0]) => {
  const child: SharedChild = {
    deadline,
    onGone,
    isGone: false,
    runner: startChildProcessRunner({
      niceness: 0,
      deadline,
      onGone: (reason) => {
        child.isGone = true;
        child.onGone(reason);
      },
    }),
  };
  return child;
};

/**
 * Starts hashing children that outlive the pool: to start one takes as much of the processor as a dozen requests, and most
 * services hash a few passwords.
 */
export const startSharedHashRunner: StartHashRunner = (options) => {
  const { deadline, onGone } = options;
  const at = free.findIndex((child) => child.deadline === deadline && !child.isGone);
  const [child = startChild(options)] = at === -1 ? [] : free.splice(at, 1);
  child.onGone = onGone;
  let isHashing = false;
  let isEnded = false;

  return {
    derive: async (request) => {
      isHashing = true;
      const answer = await child.runner.derive(request);
      isHashing = false;
      return answer;
    },
    // A pool waits for its hashes before it ends its children. One that still hashes would answer the next pool.
    end: async () => {
      if (isHashing) return child.runner.end();
      if (isEnded) return;
      isEnded = true;
      child.onGone = () => undefined;
      if (!child.isGone) free.push(child);
    },
  };
};
