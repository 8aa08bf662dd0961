import type { AccessLog, Limiter, Log, WatchRequest } from '../../core/index.ts';
import { logAccess } from './access-log.ts';
import { makeHasSecret } from './authenticate.ts';
import { checkHead } from './check-head.ts';
import { makeClientAddress } from './client-address.ts';
import type { Middleware } from './context.ts';
import { allowOrigins } from './cors.ts';
import { answerErrors, type ErrorStyle, logStrayErrors } from './errors.ts';
import { answerUnrouted, makeFastRouter } from './fast-router.ts';
import { discardRest } from './input/read-body.ts';
import { type Application, type MountedRoute, makeKoa, makeRouter, type RouteTable } from './koa.ts';
import type { MakeErrorPage } from './page/error-page.ts';
import { type HashKey, type Limits, makeRateLimit, type RateLimit } from './rate-limit.ts';
import { assignRequestId } from './request-id.ts';
import type { AnyRoute, BucketName } from './route.ts';
import { type CallerParts, makeEndpoint } from './run-route.ts';
import { setHeaders } from './security-headers.ts';

/** The configuration of an app, beside its routes. */
export interface AppParts extends CallerParts {
  readonly routes: readonly AnyRoute[];
  readonly style: ErrorStyle;
  /** Absent: every refusal is JSON. */
  readonly errorPage?: MakeErrorPage;
  /** Whether `PUBLIC_URL` is https. */
  readonly https: boolean;
  /** Further headers of every response. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly corsOrigins: readonly string[];
  readonly trustedProxies: readonly string[];
  /** The current values of the internal secret. If the list is empty, every secret is wrong. */
  readonly internalSecrets: readonly string[];
  readonly limiter: Limiter;
  readonly limits: Limits;
  readonly hashKey: HashKey;
  readonly log: Log;
  readonly accessLog: AccessLog;
  readonly watch?: WatchRequest | undefined;
}

const makeLimitOf =
  ({ limiter, limits, hashKey }: AppParts) =>
  (bucket: BucketName): RateLimit | undefined => {
    if (bucket === 'none') return undefined;
    const limit = limits[bucket];
    if (limit === undefined) throw new Error(`No limit is set for the bucket ${bucket}.`);
    return makeRateLimit(limiter, hashKey, bucket, limit);
  };

const methodsOf = ({ method, withoutHead }: AnyRoute): readonly string[] =>
  method === 'GET' && !withoutHead ? ['HEAD', 'GET'] : [method];

const mountRoutes = (parts: AppParts) => {
  const mounted: MountedRoute[] = [];
  const fastRouter = makeFastRouter();
  const routeKeys = new Set<string>();
  const shared = { ...parts, hasSecret: makeHasSecret(parts.internalSecrets), limitOf: makeLimitOf(parts) };
  for (const route of parts.routes) {
    const endpoint = makeEndpoint(route, shared);
    const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1');
    const key = `${route.method} ${path}`;
    if (routeKeys.has(key)) throw new Error(`Two routes have the method and path ${key}.`);
    routeKeys.add(key);
    const methods = methodsOf(route);
    // The fast router passes on some requests for paths with a parameter, so Koa's router has all of these paths.
    if (path !== route.path) mounted.push({ methods, path, endpoint });
    fastRouter.add(methods, route.path, endpoint);
  }
  return { mounted, fastRouter };
};

/** Answers the requests that the fast router passes on, with Koa's router. */
const handleOtherPaths = (mounted: readonly MountedRoute[]): Middleware => {
  let router: RouteTable | undefined;
  return (ctx) => {
    // Created for the first such request, since the router and its patterns would take a good part of the start-up time.
    router ??= makeRouter(mounted);
    const { handle, methodsAt } = router;
    return handle(ctx, async () => answerUnrouted(ctx, methodsAt(ctx.path)));
  };
};

/** A parameter of a template after `escapeRegExp`: `\{name\}`. */
const PARAMETER = /\\\{\w+\\\}/g;

const escapeRegExp = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Makes a function that tests whether a path matches a template. `{name}` in a template stands for a segment that is not empty. */
const makePathMatcher = (paths: readonly string[]): ((path: string) => boolean) => {
  const literalPaths = new Set(paths.filter((path) => !path.includes('{')));
  const patterns = [...new Set(paths)]
    .filter((path) => path.includes('{'))
    .map((path) => new RegExp(`^${escapeRegExp(path).replace(PARAMETER, '[^/]+')}$`));
  return (path) => literalPaths.has(path) || patterns.some((pattern) => pattern.test(path));
};

export interface App extends Application {
  /** Whether a route, of any method, has the path. */
  readonly matches: (path: string) => boolean;
}

/** Mounts a table of routes. This function and `run-route.ts` define the order of all steps of a request. */
export const makeApp = (parts: AppParts): App => {
  const app = makeKoa();
  const clientOf = makeClientAddress(parts.trustedProxies, parts.log);
  const findClient: Middleware = (ctx, next) => {
    ctx.state.client = clientOf(ctx.req);
    return next();
  };
  const keepConnectionUsable: Middleware = async (ctx, next) => {
    await next();
    if (!ctx.req.complete) discardRest(ctx.req);
  };
  const { mounted, fastRouter } = mountRoutes(parts);

  app.use(findClient);
  app.use(assignRequestId);
  app.use(logAccess(parts.accessLog, parts.watch));
  app.use(keepConnectionUsable);
  app.use(answerErrors(parts.style, parts.log, parts.errorPage));
  app.use(setHeaders(parts.https, parts.headers));
  app.use(checkHead);
  if (parts.corsOrigins.length > 0) app.use(allowOrigins(parts.corsOrigins));
  app.use(fastRouter.handle);
  app.use(handleOtherPaths(mounted));
  app.on('error', logStrayErrors(parts.log));
  return Object.assign(app, { matches: makePathMatcher(parts.routes.map(({ path }) => path)) });
};
