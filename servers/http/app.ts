import type { AccessLog, Limiter, Log, WatchRequest } from '../../core/index.ts';
import { logAccess } from './access-log.ts';
import { type Authenticate, makeHasSecret } from './authenticate.ts';
import { checkHead } from './check-head.ts';
import { makeClientAddress } from './client-address.ts';
import type { Context, Middleware } from './context.ts';
import type { CookieSessions } from './cookie-session/cookie-sessions.ts';
import { allowOrigins } from './cors.ts';
import { makeEndpoint, type Trusts } from './endpoint.ts';
import { answerErrors, type ErrorStyle, logStrayErrors } from './errors.ts';
import { makeFastRouter } from './fast-router.ts';
import { methodNotAllowed, unknownRoute } from './http-error.ts';
import { discardRest } from './input/read-body.ts';
import { type Application, makeKoa, makeRouter } from './koa.ts';
import type { MakeErrorPage } from './page/error-page.ts';
import { makePathMatcher } from './path-matcher.ts';
import { type HashKey, type Limits, makeRateLimit, type RateLimit } from './rate-limit.ts';
import { assignRequestId } from './request-id.ts';
import type { AnyRoute, BucketName } from './route.ts';
import { setHeaders } from './security-headers.ts';

/** The configuration of an app, beside its routes. */
export interface AppParts {
  readonly routes: readonly AnyRoute[];
  readonly style: ErrorStyle;
  /** Absent: every refusal is JSON. */
  readonly errorPage?: MakeErrorPage;
  /** Whether `PUBLIC_URL` is https. */
  readonly https: boolean;
  /** Headers of every response, beside the common ones. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly corsOrigins: readonly string[];
  readonly trustedProxies: readonly string[];
  /** The current values of the internal secret. Without any, no caller has it. */
  readonly internalSecrets: readonly string[];
  /** Absent: no caller is trusted without the secret. */
  readonly trusts?: Trusts;
  readonly authenticate: Authenticate;
  /** Absent: sessions are not kept in cookies. */
  readonly cookies?: CookieSessions | undefined;
  /** Absent: sessions of the operators' console are not accepted. */
  readonly consoleCookies?: CookieSessions | undefined;
  readonly limiter: Limiter;
  readonly limits: Limits;
  readonly hashKey: HashKey;
  readonly log: Log;
  readonly accessLog: AccessLog;
  readonly watch?: WatchRequest | undefined;
}

const makeLimitOf = ({ limiter, limits, hashKey }: AppParts) => {
  const limitsByBucket = new Map<BucketName, RateLimit>();
  return (bucket: BucketName): RateLimit | undefined => {
    if (bucket === 'none') return undefined;
    const limit = limits[bucket];
    if (limit === undefined) throw new Error(`No limit is set for the bucket ${bucket}.`);
    const rateLimit = limitsByBucket.get(bucket) ?? makeRateLimit(limiter, hashKey, bucket, limit);
    limitsByBucket.set(bucket, rateLimit);
    return rateLimit;
  };
};

interface Mounted {
  readonly methods: readonly string[];
  /** The path in the router's syntax. */
  readonly path: string;
  readonly endpoint: (ctx: Context) => Promise<void>;
}

const methodsOf = ({ method, withoutHead }: AnyRoute): readonly string[] =>
  method === 'GET' && !withoutHead ? ['HEAD', 'GET'] : [method];

const mountRoutes = (parts: AppParts) => {
  const mounted: Mounted[] = [];
  const fastRouter = makeFastRouter();
  const keys = new Set<string>();
  const shared = {
    authenticate: parts.authenticate,
    cookies: parts.cookies,
    consoleCookies: parts.consoleCookies,
    hasSecret: makeHasSecret(parts.internalSecrets),
    trusts: parts.trusts ?? (() => false),
    limitOf: makeLimitOf(parts),
  };
  for (const route of parts.routes) {
    const endpoint = makeEndpoint(route, shared);
    const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1');
    const key = `${route.method} ${path}`;
    if (keys.has(key)) throw new Error(`Two routes are stated for ${key}.`);
    keys.add(key);
    mounted.push({ methods: methodsOf(route), path, endpoint });
    fastRouter.add(route.method, route.path, endpoint);
  }
  return { mounted, fastRouter };
};

/** No route matched: 405 if the path has other methods, 204 with `Allow` for OPTIONS, otherwise 404. */
const answerUnrouted = (ctx: Context, methods: readonly string[]): void => {
  if (methods.length === 0) throw unknownRoute();
  const allow = [...new Set([...methods, 'OPTIONS'])].join(', ');
  if (ctx.method !== 'OPTIONS') throw methodNotAllowed(allow);
  ctx.set('Allow', allow);
  ctx.status = 204;
};

/** The methods of each path without parameters. */
const literalMethods = (mounted: readonly Mounted[]): ReadonlyMap<string, readonly string[]> => {
  const methods = new Map<string, readonly string[]>();
  for (const { methods: routeMethods, path } of mounted) {
    if (!path.includes(':')) methods.set(path, [...(methods.get(path) ?? []), ...routeMethods]);
  }
  return methods;
};

/** All routes. */
const handleRouted = (mounted: readonly Mounted[]): Middleware => {
  const router = makeRouter();
  for (const { methods, path, endpoint } of mounted) router.add(methods, path, endpoint);
  const literal = literalMethods(mounted);
  return async (ctx) => {
    const methods = literal.get(ctx.path);
    if (methods !== undefined && !methods.includes(ctx.method)) return answerUnrouted(ctx, methods);
    return router.handle(ctx, async () => answerUnrouted(ctx, router.methodsAt(ctx.path, ctx.method)));
  };
};

/** Creates the step on the first request that reaches it. */
const lazy = (make: () => Middleware): Middleware => {
  let middleware: Middleware | undefined;
  return (ctx, next) => {
    middleware ??= make();
    return middleware(ctx, next);
  };
};

export interface App extends Application {
  /** Whether some route has the path, with any method. */
  readonly matches: (path: string) => boolean;
}

/** Mounts a table of routes. This function and `endpoint.ts` define the order of all steps of a request. */
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
  // Created late: the router and its patterns take a good part of the start-up time.
  app.use(lazy(() => handleRouted(mounted)));
  app.on('error', logStrayErrors(parts.log));
  return Object.assign(app, { matches: makePathMatcher(parts.routes.map(({ path }) => path)) });
};
