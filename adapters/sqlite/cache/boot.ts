import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';

/** Seconds that two readings of one boot's time may differ by, since the clock is set now and then. */
const TOLERANCE = 60;

/** Names this boot of the machine: by the kernel's id where there is one, else by its time in epoch seconds. */
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
