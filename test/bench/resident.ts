import { readFileSync } from 'node:fs';

const megabytesOf = (pid: number, line: 'VmRSS' | 'VmHWM'): number => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${line}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1_024;
};

/** Resident memory of a process in MB (1,048,576 bytes), according to Linux. */
export const residentMegabytes = (pid: number): number => megabytesOf(pid, 'VmRSS');

/** The highest resident memory so far. */
export const peakMegabytes = (pid: number): number => megabytesOf(pid, 'VmHWM');

/** The running children of a process. */
export const childrenOf = (pid: number): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
