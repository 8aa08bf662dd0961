import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
}

/** The row of a process on Linux; none if the process has ended, even if its parent has not collected it yet. */
const rowOf = (pid: number): readonly ProcessRow[] => {
  try {
    // The name of the program, in brackets, may contain anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    const [parent = 0, group = 0, session = 0] = fields.slice(1).map(Number);
    return /[ZX]/.test(fields[0] ?? '') ? [] : [{ pid, parent, group, session }];
  } catch {
    return [];
  }
};

/** All running processes of this machine. */
export const listProcesses = (): readonly ProcessRow[] => {
  if (existsSync('/proc/self/stat'))
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => rowOf(Number(name)));
  const text = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat='], { encoding: 'utf8' });
  return text
    .trim()
    .split('\n')
    .filter((line) => !line.includes('Z'))
    .map((line) => {
      const [pid = 0, parent = 0, group = 0] = line.trim().split(/\s+/).map(Number);
      return { pid, parent, group, session: group };
    });
};

const signalTo = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended already.
  }
};

/** These processes, their descendants, and the processes of a group or session that one of them leads. */
const withAllBelow = (pids: Iterable<number>): ReadonlySet<number> => {
  const family = new Set(pids);
  const rows = listProcesses();
  for (let before = -1; before < family.size; ) {
    before = family.size;
    for (const { pid, parent, group, session } of rows)
      if ([parent, group, session].some((id) => family.has(id))) family.add(pid);
  }
  return family;
};

/** Killed processes end within this time, even on a busy machine. */
const ENDED_WITHIN_MS = 2_000;

const pause = (milliseconds: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
};

const prioritize = (pid: number, priority: number): void => {
  try {
    setPriority(pid, priority);
  } catch {
    // The process has ended already, or this user may not raise priorities.
  }
};

/** Raises the priority of a process, so that it kills others, or ends after a kill, without delay on a busy machine. */
const hurry = (pid: number): void => prioritize(pid, -10);

/**
 * Kills these processes and their families, and returns once they have ended. A process that one of them starts during the
 * listing loses its parent, and is found by its group in the next listing. No process is stopped for this: a caller that is
 * killed meanwhile leaves no stopped process behind.
 */
const killAll = (pids: Iterable<number>): void => {
  const usual = getPriority();
  hurry(process.pid);
  const killed = new Set<number>();
  for (let family = withAllBelow(pids); family.size > killed.size; family = withAllBelow(family))
    for (const pid of family) {
      if (killed.has(pid)) continue;
      signalTo(pid, 'SIGKILL');
      hurry(pid);
      killed.add(pid);
    }
  const until = performance.now() + ENDED_WITHIN_MS;
  while (performance.now() < until && listProcesses().some(({ pid }) => killed.has(pid))) pause(5);
  // Later children inherit the priority of this process.
  prioritize(process.pid, usual);
};

/** Kills all descendants of a process, also those in process groups of their own. */
export const endBelow = (root: number): void =>
  killAll(
    listProcesses().flatMap(({ pid, parent, group }) =>
      pid !== root && (parent === root || group === root) ? [pid] : [],
    ),
  );

/** Kills the remaining processes of a process group. */
export const endGroup = (root: number): void => signalTo(-root, 'SIGKILL');

/** Kills a process, its group and its descendants. */
export const endTree = (root: number): void => killAll([root]);
