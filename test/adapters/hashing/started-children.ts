import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';

/** Collects the child processes that this process starts from now on, and gives each to `onStart` before it can answer. */
export const watchChildren = (onStart: (child: ChildProcess) => void = () => undefined) => {
  const children: ChildProcess[] = [];
  const add = (message: unknown) => {
    const { process: child } = message as { process: ChildProcess };
    children.push(child);
    // The channel tells of a child just before it is spawned.
    queueMicrotask(() => onStart(child));
  };
  subscribe('child_process', add);
  return { children, stop: () => unsubscribe('child_process', add) };
};

/** Whether a process of any parent runs; one that nobody has reaped yet does not. */
export const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    // No such file: another system, or it has just gone.
    return process.platform !== 'linux';
  }
};
