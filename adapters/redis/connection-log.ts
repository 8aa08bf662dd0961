import type { Log } from '../../core/ports.ts';

/** Receives events of a connection. The reasons are single words. */
export interface Report {
  /**
   * The connection is down. Called once until it is back, and again for each attempt that fails for a reason that does not go
   * away by itself, such as a changed password.
   */
  failed(reason: string): void;
  /** The connection works again after `failed`. */
  back(): void;
  /** Redis answered a call with an error; called each time. */
  refused(reason: string): void;
}

/** The time without a refusal after which the next refusal is logged again. */
const QUIET_MS = 60_000;

/** Logs events under the name of the connection's purpose. */
export const reportTo = (log: Log, name: string): Report => {
  let quietUntil = 0;
  const failures = new Set<string>();
  return {
    failed: (reason) => {
      if (!failures.has(reason)) log.warn(`${name}.failed`, { reason });
      failures.add(reason);
    },
    back: () => {
      failures.clear();
      log.info(`${name}.back`);
    },
    refused: (reason) => {
      if (performance.now() >= quietUntil) log.warn(`${name}.refused`, { reason });
      quietUntil = performance.now() + QUIET_MS;
    },
  };
};

/** For a connection beside another connection that reports the same failures. */
export const silent: Report = { failed: () => undefined, back: () => undefined, refused: () => undefined };
