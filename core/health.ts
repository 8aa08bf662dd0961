import type { OutboxCount } from './outbox.ts';
import type { Clock, Leases } from './ports.ts';
import { integer, list, nullable, object, oneOf, type TypeOf, text } from './schema.ts';
import { timeOrNull } from './times.ts';

const serviceHealth = object(
  {
    service: text({ description: '`drop-accounts` or `drop-metadata`', examples: ['drop-metadata'] }),
    status: oneOf(['ok', 'degraded', 'unreachable'], {
      description: '`unreachable`: no answer within a second',
    }),
    down: list(text({ examples: ['mail'] }), {
      description: 'The dependencies that are down',
      examples: [[]],
    }),
    up: list(text({ examples: ['store'] }), {
      description: 'The dependencies that are up; `drop-metadata` names only those that are down',
      examples: [['store', 'mail']],
    }),
  },
  { title: 'ServiceHealth' },
);
/**
 * The health of a service, as its `/health` reports it. `unreachable`: it did not answer in time. `down` and `up`: the
 * names of its dependencies; services at remote addresses name only those that are down.
 */
export type ServiceHealth = TypeOf<typeof serviceHealth>;

const jobHealth = object(
  {
    task: text({ examples: ['relay'] }),
    everySeconds: integer({
      description: 'The interval of its runs when nothing wakes it',
      examples: [1],
    }),
    lastSuccessAt: timeOrNull(
      'Its last success, to the minute; null before the first',
      '2026-11-21T18:00:00.000Z',
    ),
    heldBy: nullable(
      text({
        description: 'Host, process and a random text of the running worker; null while it does not run',
        examples: ['web-1:4711:q0KxTw'],
      }),
    ),
  },
  { title: 'JobHealth' },
);
/** A background job of this process or another one. `lastSuccessAt`: ISO 8601, exact to a minute; null before it. */
export type JobHealth = TypeOf<typeof jobHealth>;

const counted = (description: string) => integer({ description, examples: [0] });

const backlog = object(
  {
    mailWaiting: counted('Mails that are to be sent'),
    mailDead: counted('Mails that were given up'),
    mailOldestSeconds: counted('Age of the oldest mail that waits; 0 where none does'),
    deliveriesPending: counted('Deliveries of the payment provider that are to be applied'),
    deliveriesDead: counted('Deliveries that could not be applied'),
  },
  { title: 'Backlog' },
);
export type Backlog = TypeOf<typeof backlog>;

export const healthView = object(
  {
    at: text({
      format: 'date-time',
      description: 'The time of the check, by the clock of the other times',
      examples: ['2026-11-21T18:00:05.000Z'],
    }),
    services: list(serviceHealth),
    jobs: list(jobHealth),
    backlog,
  },
  { title: 'HealthView' },
);
/** The health of an installation, as operators see it. `at`: ISO 8601, by the clock of all its times. */
export type HealthView = TypeOf<typeof healthView>;

interface HealthDeps {
  readonly clock: Clock;
  readonly leases: Pick<Leases, 'list'>;
  readonly outbox: { count(): Promise<readonly OutboxCount[]> };
  readonly ledger: { count(state: 'pending' | 'dead'): Promise<number> };
  /** The jobs of all processes; `every` in milliseconds. */
  readonly jobs: readonly { readonly name: string; readonly every: number }[];
  /** Asks each service for its health; does not throw. */
  readonly askServices: () => Promise<readonly ServiceHealth[]>;
}

/** Reports the health of the services, the background jobs and the backlog. */
export const makeShowHealth = ({ clock, leases, outbox, ledger, jobs, askServices }: HealthDeps) => {
  const showJobs = async (): Promise<readonly JobHealth[]> => {
    const leaseByName = new Map((await leases.list()).map((lease) => [lease.name, lease]));
    return jobs.map(({ name, every }) => {
      const { heldBy = null, lastSuccessAt = null } = leaseByName.get(name) ?? {};
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
    const [services, jobsHealth, entries] = await Promise.all([askServices(), showJobs(), showBacklog()]);
    return { at: new Date(clock.now()).toISOString(), services, jobs: jobsHealth, backlog: entries };
  };
};
