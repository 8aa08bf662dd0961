import type { Log } from '../../core/ports.ts';

/** Events of a connection, each named by a word. */
export interface Report {
  /** It is down; told once, until it is back. */
  failed(reason: string): void;
  back(): void;
  /** Redis refused a call; told each time. */
  refused(reason: string): void;
}

/** Milliseconds without a refusal, after which one is logged again. */
const QUIET = 60_000;

/** Log lines that begin with the name of what the connection is for. */
export const reportTo = (log: Log, name: string): Report => {
  let quietUntil = 0;
  return {
    failed: (reason) => log.warn(`${name}.failed`, { reason }),
    back: () => log.info(`${name}.back`),
    refused: (reason) => {
      if (performance.now() >= quietUntil) log.warn(`${name}.refused`, { reason });
      quietUntil = performance.now() + QUIET;
    },
  };
};

/** For a connection that meets the same as another one. */
export const silent: Report = { failed: () => undefined, back: () => undefined, refused: () => undefined };
