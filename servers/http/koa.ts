import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type Router from '@koa/router';
import type Koa from 'koa';
import type { Context, Middleware, State } from './context.ts';

// `require` loads Koa and its router: `import` reads each file of a CommonJS package twice, the first time for the names of
// its exports. With these two packages that took a tenth of the start.

/** The part of a Koa application that is used here. */
export interface Application {
  use(middleware: Middleware): unknown;
  on(event: 'error', listener: (error: Error, ctx: Context) => void): unknown;
  /** The listener for requests of `node:http`. */
  callback(): (req: IncomingMessage, res: ServerResponse) => Promise<void>;
}

export const makeKoa = (): Application => {
  const require = createRequire(import.meta.url);
  return new (require('koa') as typeof Koa)<State>();
};

export interface MountedRoute {
  readonly methods: readonly string[];
  /** The path in the router's syntax. */
  readonly path: string;
  readonly endpoint: (ctx: Context) => Promise<void>;
}

/** The part of a router that is used here. */
export interface RouteTable {
  readonly handle: Middleware;
  /** The methods of all routes whose path matches. */
  methodsAt(path: string): readonly string[];
}

/** Makes a router. If a path matches two routes, the route with fewer parameters answers. */
export const makeRouter = (mounted: readonly MountedRoute[]): RouteTable => {
  const require = createRequire(import.meta.url);
  const router = new (require('@koa/router') as typeof Router)<State>({
    strict: true,
    sensitive: true,
    exclusive: 'specificity',
  });
  for (const { methods, path, endpoint } of mounted) {
    // Sets `methods` again, since the router adds HEAD to GET.
    router.register(path, [...methods], endpoint).methods = [...methods];
  }
  const dispatch = router.routes();
  return {
    handle: (ctx, next) => {
      // Koa's types require both members, which the router sets itself.
      const routed: unknown = Object.assign(ctx, { router, params: {} });
      return dispatch(routed as Parameters<typeof dispatch>[0], next);
    },
    // The member `path` of a match has the matching routes of all methods, not of GET alone.
    methodsAt: (path) => router.match(path, 'GET').path.flatMap((layer) => layer.methods),
  };
};
