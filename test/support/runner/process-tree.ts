import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Each process by its parent. */
export const parents = (): readonly (readonly [pid: number, parent: number])[] => {
  if (!existsSync('/proc/self/stat')) {
    const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
    return rows.map((row) => row.trim().split(/\s+/).map(Number) as [number, number]);
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // The name of the program, in brackets, may hold anything.
        const [, parent = ''] =
          readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
        return [[Number(name), Number(parent)] as const];
      } catch {
        return [];
      }
    });
};

const signalTo = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone already.
  }
};

/**
 * Kills every process below this one, whatever process groups they have made. Each is stopped first, so that it starts
 * no further one while the others are looked for.
 */
export const endBelow = (root: number): void => {
  const found = new Set([root]);
  for (let before = 0; before < found.size; ) {
    before = found.size;
    for (const [pid, parent] of parents()) {
      if (!found.has(parent) || found.has(pid)) continue;
      signalTo(pid, 'SIGSTOP');
      found.add(pid);
    }
  }
  found.delete(root);
  for (const pid of found) signalTo(pid, 'SIGKILL');
};

/** Kills what is left of a process group. */
export const endGroup = (root: number): void => signalTo(-root, 'SIGKILL');

/** Kills a process with its group and all that is below it. */
export const endTree = (root: number): void => {
  signalTo(root, 'SIGSTOP');
  endBelow(root);
  endGroup(root);
  signalTo(root, 'SIGKILL');
};
