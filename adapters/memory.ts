import type { AccountsPorts, Caller, Message, UserEvent } from '../core/index.ts';
import { accountJobs, billingJobs, fileJobs } from './background/jobs.ts';
import { assemble, type Gatehouse } from './compose/assemble.ts';
import { makePorts, type Ports } from './compose/container.ts';
import { type InMemoryParts, openInMemory } from './compose/in-memory.ts';
import { withClosingScope } from './compose/open-resources.ts';
import type { Config } from './config.ts';
import type { MemoryClock } from './memory/clock.ts';
import type { MemoryDns } from './memory/dns.ts';
import type { MemoryEvents } from './memory/events.ts';
import type { MemoryMailer } from './memory/mailer.ts';

export type { InMemoryParts } from './compose/in-memory.ts';
export type { MemoryClock, MemoryDns, MemoryEvents, MemoryMailer };

/** A product in memory, with what tests inspect and control. */
export interface InMemory extends Gatehouse {
  /** Every mail that was sent, the newest last. */
  readonly mails: readonly Message[];
  /** Every event that apps received, the newest last. */
  readonly events: readonly UserEvent[];
  readonly clock: MemoryClock;
  readonly dns: MemoryDns;
  /** For `createHandlers`. */
  readonly config: Config;
  /** A caller at the loopback address. */
  readonly caller: Caller;
  /** Does all work that is due by the clock: mails, events, deliveries of the sandbox, ends of periods, removals. */
  settle(): Promise<void>;
}

const CALLER: Caller = {
  address: '127.0.0.1',
  client: '127.0.0.1',
  userAgent: null,
  requestId: null,
  languages: 'en',
};

/** The length of a lease on a job; `settle` releases it after the run. */
const LEASE_MS = 60_000;

/**
 * The whole product in memory, for an app's tests: no file, no socket, no other process, and no timer before `start`.
 * Throws `ConfigError`, and `invalid` (`invalid_request`) for an unknown override.
 */
export const composeInMemory = (overrides: InMemoryParts = {}): Promise<InMemory> =>
  withClosingScope(async (scope) => {
    const parts = openInMemory(overrides);
    const { context, resources, clock, dns, mailer, events, leases, runs, closeStore } = parts;
    scope.track({ close: closeStore });
    scope.track(resources.hashPool);
    const gatehouse = await assemble(context, resources, scope);
    const { accounts, billing, files } = gatehouse;

    let hasMoreWork = false;
    const wake = () => {
      hasMoreWork = true;
    };
    const jobs = [...accountJobs(accounts, wake), ...billingJobs(billing), ...fileJobs(files)];
    return {
      ...gatehouse,
      clock,
      dns,
      mails: mailer.mails,
      events: events.told,
      config: context.config,
      caller: CALLER,
      settle: async () => {
        const runsOf = (name: string) => [...runs].filter(({ job }) => job === name);
        do {
          hasMoreWork = false;
          await Promise.all([files.background.flushAccesses(), files.background.flushCacheReads()]);
          for (const { name, run } of jobs) {
            await Promise.allSettled(runsOf(name).map(({ ended }) => ended));
            const lease = await leases.take(name, 'settle', LEASE_MS);
            // Another composition on the app's own leases has this lease, and does the job.
            if (lease === undefined) continue;
            if ((await run(lease.fence)) > 0) hasMoreWork = true;
            // Kept while the background work runs the job: `leases` gives all callers the same holder, so both share this lease.
            if (runsOf(name).length === 0) await leases.release(name, 'settle');
          }
          // If the background work was started, its present runs may leave more work.
          if (runs.size > 0) hasMoreWork = true;
          await Promise.allSettled([...runs].map(({ ended }) => ended));
        } while (hasMoreWork);
      },
    };
  });

/** Every port in memory but `subscribers` of `createBilling`, which `createAccounts` returns. */
export interface MemoryPorts extends Ports, Pick<AccountsPorts, 'userFiles' | 'userBilling' | 'wake'> {
  readonly clock: MemoryClock;
  readonly dns: MemoryDns;
  readonly mailer: MemoryMailer;
  readonly events: MemoryEvents;
}

/** For `createAccounts`, `createFiles` and `createBilling`, each alone. Throws as `composeInMemory` does. */
export const memoryPorts = (overrides: InMemoryParts = {}): MemoryPorts => {
  const { context, resources, clock, dns, mailer, events } = openInMemory(overrides);
  return {
    ...makePorts(context, resources),
    clock,
    dns,
    mailer,
    events,
    userFiles: {
      count: async () => 0,
      list: async function* () {},
      removeAll: async () => 0,
      countByKey: async () => new Map(),
    },
    userBilling: {
      forget: async () => undefined,
      changeEmail: async () => undefined,
      listDeliveries: async () => [],
    },
    wake: () => undefined,
  };
};
