import { readFileSync } from 'node:fs';

const megabytesOf = (pid: number, line: 'VmRSS' | 'VmHWM'): number => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${line}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1_024;
};

/** Resident memory of a process in MB (1,048,576 bytes), as Linux tells it. */
export const residentMegabytes = (pid: number): number => megabytesOf(pid, 'VmRSS');

/** The most that it ever was. */
export const peakMegabytes = (pid: number): number => megabytesOf(pid, 'VmHWM');

/** The processes that a process has started. */
export const childrenOf = (pid: number): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
