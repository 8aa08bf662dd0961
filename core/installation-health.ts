import { type BacklogDeps, backlog, makeCountBacklog } from './backlog.ts';
import { isoTime, isoTimeOrNull, timeOrNull } from './iso-times.ts';
import type { Leases } from './ports.ts';
import { integer, list, nullable, object, oneOf, type TypeOf, text } from './schema.ts';

/** The check of a dependency of the services. `needed`: the services cannot work without it. */
export interface HealthCheck {
  readonly name: string;
  readonly needed: boolean;
  /** Whether the dependency is up. Resolves within a second, and does not throw. */
  check(): Promise<boolean>;
}

const serviceHealth = object(
  {
    service: text({ description: '`drop-accounts` or `drop-metadata`', examples: ['drop-metadata'] }),
    status: oneOf(['ok', 'degraded', 'unreachable'], {
      description: '`unreachable`: no usable answer within a second',
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
 * The health of a service, as its `/health` reports it. `unreachable`: no usable answer within a second. `down` and `up`:
 * the names of its dependencies; `drop-metadata` names only those that are down.
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
/** A background job of this process or another one. `lastSuccessAt`: ISO 8601, exact to a minute; null before the first. */
export type JobHealth = TypeOf<typeof jobHealth>;

export const healthView = object(
  {
    at: text({
      format: 'date-time',
      description: 'The time of the check. The other times here are by the same clock',
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

interface HealthDeps extends BacklogDeps {
  readonly leases: Pick<Leases, 'list'>;
  /** The jobs of all processes; `every` in milliseconds. */
  readonly jobs: readonly { readonly name: string; readonly every: number }[];
  /** Asks each service for its health; does not throw. */
  readonly askServices: () => Promise<readonly ServiceHealth[]>;
}

/** Reports the health of the services, the background jobs and the backlog. */
export const makeShowHealth = ({ leases, jobs, askServices, ...deps }: HealthDeps) => {
  const countBacklog = makeCountBacklog(deps);

  const showJobs = async (): Promise<readonly JobHealth[]> => {
    const leaseByName = new Map((await leases.list()).map((lease) => [lease.name, lease]));
    return jobs.map(({ name, every }) => {
      const { heldBy = null, lastSuccessAt = null } = leaseByName.get(name) ?? {};
      return { task: name, everySeconds: every / 1_000, lastSuccessAt: isoTimeOrNull(lastSuccessAt), heldBy };
    });
  };

  return async (): Promise<HealthView> => {
    const [services, jobsHealth, counts] = await Promise.all([askServices(), showJobs(), countBacklog()]);
    return { at: isoTime(deps.clock.now()), services, jobs: jobsHealth, backlog: counts };
  };
};
