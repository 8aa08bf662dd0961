import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { childrenOf } from './resident.ts';

/** What the kernel counts processor time in, by the second, on every Linux there is. */
const TICKS = 100;

/** Seconds of processor time that a process has taken so far, as Linux tells it; undefined when it is gone. */
export const cpuSeconds = (pid: number): number | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is a name in brackets, which may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS;
  } catch {
    return undefined;
  }
};

/** Milliseconds that all cores together have worked so far. */
const worked = (): number =>
  cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);

const ofGroup = (pid: number): number =>
  [pid, ...childrenOf(pid)].reduce((sum, one) => sum + (cpuSeconds(one) ?? 0), 0);

/** How many cores all else took while the work was done: all but a process and those it has started. */
export const coresBeside = async <T>(
  pid: number,
  work: () => Promise<T>,
): Promise<{ readonly took: T; readonly beside: number }> => {
  const [began, all, group] = [performance.now(), worked(), ofGroup(pid)];
  const took = await work();
  const milliseconds = performance.now() - began;
  return { took, beside: (worked() - all - (ofGroup(pid) - group) * 1_000) / milliseconds };
};
