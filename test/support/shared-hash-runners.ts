import { startChildProcessRunner } from '../../adapters/hashing/child-process-runner.ts';
import type { HashRunner, StartHashRunner } from '../../adapters/hashing/runner-with-deadline.ts';

/** A child process that hashes for one pool after another. */
interface SharedChild {
  readonly runner: HashRunner;
  readonly deadline: number;
  onGone: (reason: string) => void;
  isGone: boolean;
}

/** Children that no pool uses now. They do not keep this process alive, and end with it. */
const free: SharedChild[] = [];

/**
 * The child has the priority of the run: with a lower priority it takes seconds to start on a busy machine, and the pool
 * refuses requests that wait so long.
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
 * Starts children that outlive their pool: starting one takes as much processor time as a dozen requests, and most services
 * hash only a few passwords.
 */
export const startSharedHashRunner: StartHashRunner = (options) => {
  const { deadline, onGone } = options;
  const index = free.findIndex((child) => child.deadline === deadline && !child.isGone);
  const [child = startChild(options)] = index === -1 ? [] : free.splice(index, 1);
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
    // A pool ends its children only after their hashes. A child that still hashes would answer the next pool.
    end: async () => {
      if (isHashing) return child.runner.end();
      if (isEnded) return;
      isEnded = true;
      child.onGone = () => undefined;
      if (!child.isGone) free.push(child);
    },
  };
};
