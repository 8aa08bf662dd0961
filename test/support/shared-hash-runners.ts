import { startChildProcessRunner } from '../../adapters/hashing/child-process-runner.ts';
import type { HashRunner, StartHashRunner } from '../../adapters/hashing/runner-with-deadline.ts';

/** A hashing child that pools use one after another. */
interface SharedChild {
  readonly runner: HashRunner;
  readonly settings: string;
  onGone: (reason: string) => void;
  isGone: boolean;
}

/** Children that no pool uses now. They do not keep this process alive, and end with it. */
const free: SharedChild[] = [];

const startChild = ({ niceness, deadline, onGone }: Parameters<StartHashRunner>[0], settings: string) => {
  const child: SharedChild = {
    settings,
    onGone,
    isGone: false,
    runner: startChildProcessRunner({
      niceness,
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
  const { niceness, deadline, onGone } = options;
  const settings = `${niceness} ${deadline}`;
  const at = free.findIndex((child) => child.settings === settings && !child.isGone);
  const [child = startChild(options, settings)] = at === -1 ? [] : free.splice(at, 1);
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
