import type { OutboxCount } from './outbox.ts';
import type { Clock, Leases } from './ports.ts';

/** The health of a service, as its `/health` reports it. */
export interface ServiceHealth {
  /** `drop-accounts` or `drop-metadata`. */
  readonly service: string;
  /** `unreachable`: it did not answer in time. */
  readonly status: 'ok' | 'degraded' | 'unreachable';
  /** The names of its dependencies that are down. */
  readonly down: readonly string[];
  /** The names of its dependencies that are up. Services at remote addresses name only those that are down. */
  readonly up: readonly string[];
}

/** A background job of this process or another one. */
export interface JobHealth {
  readonly task: string;
  readonly everySeconds: number;
  /** ISO 8601, exact to a minute; null if the job never succeeded. */
  readonly lastSuccessAt: string | null;
  /** Host, process and a random text of the current holder; null without one. */
  readonly heldBy: string | null;
}

export interface Backlog {
  readonly mailWaiting: number;
  readonly mailDead: number;
  /** Age of the oldest waiting mail, in seconds; 0 without one. */
  readonly mailOldestSeconds: number;
  /** Deliveries of the payment provider that are not applied yet. */
  readonly deliveriesPending: number;
  readonly deliveriesDead: number;
}

/** The health of an installation, as operators see it. */
export interface HealthView {
  /** ISO 8601: when the view was made, by the clock of all its times. */
  readonly at: string;
  readonly services: readonly ServiceHealth[];
  readonly jobs: readonly JobHealth[];
  readonly backlog: Backlog;
}

interface HealthDeps {
  readonly clock: Clock;
  readonly leases: Pick<Leases, 'list'>;
  readonly outbox: { count(): Promise<readonly OutboxCount[]> };
  readonly ledger: { count(standing: 'pending' | 'dead'): Promise<number> };
  /** The jobs of all processes; `every` in milliseconds. */
  readonly jobs: readonly { readonly name: string; readonly every: number }[];
  /** Asks each service for its health; does not throw. */
  readonly askServices: () => Promise<readonly ServiceHealth[]>;
}

/** Reports the health of the services, the background jobs and the backlog. */
export const makeShowHealth = ({ clock, leases, outbox, ledger, jobs, askServices }: HealthDeps) => {
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
    const sum = (counts: typeof mails) => counts.reduce((total, { count }) => total + count, 0);
    const living = mails.filter(({ state }) => state !== 'dead');
    const oldest = Math.min(...living.map(({ oldestAt }) => oldestAt));
    return {
      mailWaiting: sum(living),
      mailDead: sum(mails) - sum(living),
      mailOldestSeconds: living.length === 0 ? 0 : Math.max(0, Math.floor((clock.now() - oldest) / 1_000)),
      deliveriesPending,
      deliveriesDead,
    };
  };

  return async (): Promise<HealthView> => {
    const [services, jobsHealth, backlog] = await Promise.all([askServices(), showJobs(), showBacklog()]);
    return { at: new Date(clock.now()).toISOString(), services, jobs: jobsHealth, backlog };
  };
};
