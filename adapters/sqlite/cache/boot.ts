import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';

/** Two readings of the time of one boot may differ by this many seconds, because the clock is adjusted. */
const TOLERANCE = 60;

/**
 * Identifies the current boot of the machine: the kernel's boot id, else the time of the boot in epoch seconds.
 * See decision 0047.
 */
export const currentBoot = (): string => {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return String(Math.round(Date.now() / 1_000 - uptime()));
  }
};

export const isSameBoot = (one: string, other: string): boolean =>
  one === other ||
  (/^\d+$/.test(one) && /^\d+$/.test(other) && Math.abs(Number(one) - Number(other)) <= TOLERANCE);
