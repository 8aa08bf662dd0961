import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
}

/** A row of what Linux tells of a process; nothing when the process has ended, even if its parent does not know yet. */
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

/** All processes of this machine that have not ended. */
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

/** These processes, those below them, and those in a group or session that one of them leads. */
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

/** Milliseconds in which killed processes end, also on a busy machine. */
const ENDED_WITHIN = 2_000;

const pause = (milliseconds: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
};

const prioritize = (pid: number, priority: number): void => {
  try {
    setPriority(pid, priority);
  } catch {
    // It has ended already, or that takes a right which not everybody has.
  }
};

/** Puts a process before others: a busy machine must not keep it waiting, nor one that has been killed and has yet to end. */
const hurry = (pid: number): void => prioritize(pid, -10);

/**
 * Kills these processes and all that belong to them, and returns once they have ended. What one of them starts while they
 * are listed loses its parent, and is found by its group at the next look. No process is stopped for that: a caller that
 * is killed meanwhile leaves no stopped process behind.
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
  const until = performance.now() + ENDED_WITHIN;
  while (performance.now() < until && listProcesses().some(({ pid }) => killed.has(pid))) pause(5);
  // What this process starts later inherits its priority.
  prioritize(process.pid, usual);
};

/** Kills every process below this one, whatever process groups they have made. */
export const endBelow = (root: number): void =>
  killAll(
    listProcesses().flatMap(({ pid, parent, group }) =>
      pid !== root && (parent === root || group === root) ? [pid] : [],
    ),
  );

/** Kills what is left of a process group. */
export const endGroup = (root: number): void => signalTo(-root, 'SIGKILL');

/** Kills a process with its group and all that is below it. */
export const endTree = (root: number): void => killAll([root]);
