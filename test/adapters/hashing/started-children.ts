import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';

/** Collects the child processes started from now on, and passes each to `onStart` before the child can answer. */
export const watchChildren = (onStart: (child: ChildProcess) => void = () => undefined) => {
  const children: ChildProcess[] = [];
  const add = (message: unknown) => {
    const { process: child } = message as { process: ChildProcess };
    children.push(child);
    // The channel reports a child just before the spawn.
    queueMicrotask(() => onStart(child));
  };
  subscribe('child_process', add);
  return { children, stop: () => unsubscribe('child_process', add) };
};

/** Whether a process of any parent runs; a zombie does not count. */
export const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    // The file is missing on other systems, and after the process has ended.
    return process.platform !== 'linux';
  }
};
