import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { childrenOf } from './resident.ts';

/** The unit of processor time in /proc on Linux. */
const TICKS_PER_SECOND = 100;

/** Seconds of processor time of a process so far, according to Linux; undefined if the process has ended. */
export const cpuSeconds = (pid: number): number | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is a name in brackets, which may contain any character.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
};

/** Milliseconds of processor time of all cores together so far. */
const machineCpuMs = (): number =>
  cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);

const groupCpuSeconds = (pid: number): number =>
  [pid, ...childrenOf(pid)].reduce((sum, member) => sum + (cpuSeconds(member) ?? 0), 0);

/** Does some work, and measures how many cores all processes but this one and its children used meanwhile. */
export const coresBeside = async <T>(
  pid: number,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly beside: number }> => {
  const [startedAt, all, group] = [performance.now(), machineCpuMs(), groupCpuSeconds(pid)];
  const result = await work();
  const milliseconds = performance.now() - startedAt;
  const besideMs = machineCpuMs() - all - (groupCpuSeconds(pid) - group) * 1_000;
  return { result, beside: besideMs / milliseconds };
};
