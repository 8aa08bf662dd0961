import type { OutboxCount } from './outbox.ts';
import type { Clock, Leases } from './ports.ts';

/** A service of ours, as its `/health` says it. */
export interface ServiceHealth {
  /** `drop-accounts` or `drop-metadata`. */
  readonly service: string;
  /** `unreachable`: it did not answer in time. */
  readonly status: 'ok' | 'degraded' | 'unreachable';
  /** The names of what is down of what it stands on. */
  readonly down: readonly string[];
  /** The names of what is up of it. A service that is asked at its address names only what is down. */
  readonly up: readonly string[];
}

/** A background job of this process or another one. */
export interface JobHealth {
  readonly task: string;
  readonly everySeconds: number;
  /** ISO 8601, exact to a minute; null where it never went well. */
  readonly lastSuccessAt: string | null;
  /** Host, process and a random text of who does it now; null where nobody does. */
  readonly heldBy: string | null;
}

export interface Backlog {
  readonly mailWaiting: number;
  readonly mailDead: number;
  /** Age of the oldest mail that waits, in seconds; 0 where none does. */
  readonly mailOldestSeconds: number;
  /** Deliveries of the payment provider that are to be applied. */
  readonly deliveriesPending: number;
  readonly deliveriesDead: number;
}

/** How an installation is, as operators see it. */
export interface HealthView {
  readonly services: readonly ServiceHealth[];
  readonly jobs: readonly JobHealth[];
  readonly backlog: Backlog;
}

interface Looked {
  readonly clock: Clock;
  readonly leases: Pick<Leases, 'list'>;
  readonly outbox: { count(): Promise<readonly OutboxCount[]> };
  readonly ledger: { count(standing: 'pending' | 'dead'): Promise<number> };
  /** Every job, whichever process does it; `every` in milliseconds. */
  readonly jobs: readonly { readonly name: string; readonly every: number }[];
  /** Asks each service. It does not throw. */
  readonly askServices: () => Promise<readonly ServiceHealth[]>;
}

/** Says how the installation is: how its services are, what its background work does, and what waits. */
export const makeShowHealth = ({ clock, leases, outbox, ledger, jobs, askServices }: Looked) => {
  const showJobs = async (): Promise<readonly JobHealth[]> => {
    const standings = new Map((await leases.list()).map((lease) => [lease.name, lease]));
    return jobs.map(({ name, every }) => {
      const { heldBy = null, lastSuccessAt = null } = standings.get(name) ?? {};
      return {
        task: name,
        everySeconds: every / 1_000,
        lastSuccessAt: lastSuccessAt === null ? null : new Date(lastSuccessAt).toISOString(),
        heldBy,
      };
    });
  };

  const showBacklog = async (): Promise<Backlog> => {
    const [mails, deliveriesPending, deliveriesDead] = await Promise.all([
      outbox.count(),
      ledger.count('pending'),
      ledger.count('dead'),
    ]);
    const sum = (those: typeof mails) => those.reduce((total, { count }) => total + count, 0);
    const living = mails.filter(({ state }) => state !== 'dead');
    const oldest = Math.min(...living.map(({ oldestAt }) => oldestAt));
    return {
      mailWaiting: sum(living),
      mailDead: sum(mails) - sum(living),
      mailOldestSeconds: living.length === 0 ? 0 : Math.max(0, Math.floor((clock.now() - oldest) / 1_000)),
      ...{ deliveriesPending, deliveriesDead },
    };
  };

  return async (): Promise<HealthView> => {
    const [services, shown, backlog] = await Promise.all([askServices(), showJobs(), showBacklog()]);
    return { services, jobs: shown, backlog };
  };
};
