import { type HealthCheck, unavailable } from '../../core/index.ts';
import { list, object, oneOf, optional, type TypeOf, text } from '../../core/schema.ts';
import { ok, type ResponseBody } from './response-body.ts';
import { type AnyRoute, openRoute } from './route.ts';

/** The reason of the closing signal in a process that other processes replace: the service stays ready. */
export const REPLACED = 'replaced';

export interface HealthParts {
  readonly service: string;
  readonly version: string;
  readonly checks: readonly HealthCheck[];
  /** Aborted when the shutdown begins. From then on the service is not ready, unless other processes replace this one. */
  readonly closing: AbortSignal;
}

interface Outcome extends Pick<HealthCheck, 'name' | 'needed'> {
  readonly isUp: boolean;
}

const healthAnswer = object(
  {
    service: text({
      description: '`drop-accounts`, `drop-metadata` or `drop-console`',
      examples: ['drop-accounts'],
    }),
    version: text({ examples: ['0.1.0'] }),
    status: oneOf(['ok', 'degraded']),
    down: optional(
      list(text({ examples: ['mail'] }), {
        description: 'While it is `degraded`: what is down',
        examples: [[]],
      }),
    ),
  },
  { title: 'Health' },
);
type Health = TypeOf<typeof healthAnswer>;

const OUTCOME_LIFE_MS = 1_000;

/** Makes a function that runs all checks at once. Calls within a second share the outcome, so that probes cause little load. */
const makeRunChecks = ({ checks }: HealthParts) => {
  let outcomes: Promise<readonly Outcome[]> | undefined;
  let startedAt = 0;
  return (): Promise<readonly Outcome[]> => {
    const now = performance.now();
    if (outcomes === undefined || now - startedAt >= OUTCOME_LIFE_MS) {
      startedAt = now;
      outcomes = Promise.all(
        checks.map(async ({ name, needed, check }) => ({ name, needed, isUp: await check() })),
      );
    }
    return outcomes;
  };
};

const namesOf = (outcomes: readonly Outcome[]) => outcomes.map(({ name }) => name);

export const healthRoutes = (parts: HealthParts): readonly AnyRoute[] => {
  const { service, version, closing } = parts;
  const runChecks = makeRunChecks(parts);

  const answerOf = (outcomes: readonly Outcome[]): ResponseBody<Health> => {
    const down = namesOf(outcomes.filter(({ isUp }) => !isUp));
    return ok(
      down.length === 0 ? { service, version, status: 'ok' } : { service, version, status: 'degraded', down },
    );
  };

  const healthRoute = (path: string): AnyRoute =>
    openRoute({
      method: 'GET',
      path,
      summary: 'Whether the service and its dependencies work',
      bucket: 'health',
      answers: {
        200: { description: '`ok`, or `degraded` with the names of what is down.', schema: healthAnswer },
      },
      run: async () => answerOf(await runChecks()),
    });

  const readyRoute = openRoute({
    method: 'GET',
    path: '/health/ready',
    summary: 'Whether the service can take requests now',
    // Without a rate limit: a load balancer would read 429 as a service that is not ready.
    bucket: 'none',
    answers: {
      200: { description: 'The service takes requests.', schema: healthAnswer },
      503: { description: 'A needed dependency is down, or the service shuts down.', errors: ['not_ready'] },
    },
    run: async () => {
      if (closing.aborted && closing.reason !== REPLACED)
        throw unavailable('not_ready', 'The service is shutting down.');
      const outcomes = await runChecks();
      const missing = namesOf(outcomes.filter(({ isUp, needed }) => needed && !isUp));
      if (missing.length > 0) throw unavailable('not_ready', `Not available: ${missing.join(', ')}.`);
      return answerOf(outcomes);
    },
  });

  return [healthRoute('/health'), healthRoute('/api/health'), readyRoute];
};
