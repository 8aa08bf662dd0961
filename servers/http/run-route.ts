import type { IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { type Caller, CoreError } from '../../core/index.ts';
import { rateLimitBuckets } from '../../core/rate-limits.ts';
import {
  type Authenticate,
  type AuthenticatedCaller,
  cookieNeeded,
  requireBearerToken,
  secretNeeded,
} from './authenticate.ts';
import { makeCaller } from './caller.ts';
import type { Context } from './context.ts';
import type { CookieSessions } from './cookie-session/cookie-sessions.ts';
import { unsupportedType } from './http-error.ts';
import { readJson } from './input/json-body.ts';
import { coerce, readQuery } from './input/query-and-path.ts';
import { hasBody, readRaw } from './input/read-body.ts';
import { readUpload, uploadSize } from './input/upload.ts';
import { makeValidate } from './input/validate.ts';
import { withoutSpace } from './optional-whitespace.ts';
import type { RateLimit } from './rate-limit.ts';
import { ACCESS, type AnyRoute, type BucketName, type Route } from './route.ts';
import { sendResponse } from './send-response.ts';

/** How an app authenticates its callers. */
export interface CallerParts {
  readonly authenticate: Authenticate;
  /** Absent: sessions are not kept in cookies. */
  readonly cookies?: CookieSessions | undefined;
  /** Absent: sessions of the operators' console are not accepted. */
  readonly consoleCookies?: CookieSessions | undefined;
  /** Whether a caller without the secret may call internal routes. May throw a refusal of its own. Absent: no caller may. */
  readonly trusts?: (req: IncomingMessage) => boolean;
}

/** The dependencies that all endpoints of an app share. */
interface EndpointParts extends CallerParts {
  readonly hasSecret: (req: IncomingMessage) => boolean;
  /** Undefined for the bucket `none`. */
  readonly limitOf: (bucket: BucketName) => RateLimit | undefined;
}

const callerIn = ({ req, state }: Context, session: 'cookie' | 'console' | undefined): Caller => ({
  ...makeCaller(req, state.client, state.requestId),
  ...(session && { session }),
});

/** Reads and validates the parts of a request that the route has schemas for. */
const makeReadInput = ({ params, query, body, bodyLongest, fieldCodes }: Route) => {
  const checkParams = params && makeValidate(params, 'path');
  const checkQuery = query && makeValidate(query, 'query');
  const checkBody = body && makeValidate(body, 'body', fieldCodes);
  // If no member is required, a missing body counts as `{}`.
  const isBodyRequired = (body?.required ?? []).length > 0;
  return async (ctx: Context) => ({
    params: params && (await checkParams?.(coerce(params, ctx.params ?? {}))),
    query: query && (await checkQuery?.(coerce(query, readQuery(ctx.querystring)))),
    // Where `checkBody` is undefined, the argument is not evaluated: the body is not read.
    body: await checkBody?.(isBodyRequired || hasBody(ctx.req) ? await readJson(ctx.req, bodyLongest) : {}),
  });
};

const NO_UPLOAD = new Uint8Array();

const readBytes = async (req: IncomingMessage, { upload, raw }: Route): Promise<Uint8Array> => {
  if (upload !== undefined) return readUpload(req, upload);
  if (raw === undefined) return NO_UPLOAD;
  const [type = ''] = (req.headers['content-type'] ?? '').split(';');
  if (raw.type !== undefined && withoutSpace(type).toLowerCase() !== raw.type)
    throw unsupportedType(raw.type);
  return readRaw(req, raw.longest);
};

/** Whether part of the body has not arrived yet. */
const isStillToCome = async (req: IncomingMessage): Promise<boolean> => {
  if (!hasBody(req)) return false;
  // A body that came with the head has been read by the end of this event-loop turn.
  if (!req.complete) await setImmediate();
  return !req.complete;
};

/** Runs the route. If it throws `forbidden`, counts the request by client, and beyond the limit throws `throttled` instead. */
const countRefusal = async <T>(ctx: Context, limit: RateLimit, run: () => Promise<T>): Promise<T> => {
  try {
    return await run();
  } catch (error) {
    if (error instanceof CoreError && error.kind === 'forbidden') await limit.byClient(ctx);
    throw error;
  }
};

/**
 * Makes the handler of one route. Its steps: identify the caller and count the request, read the input, check the
 * caller again if the body came late, run.
 */
export const makeEndpoint = (anyRoute: AnyRoute, parts: EndpointParts) => {
  const { authenticate, hasSecret, trusts, limitOf } = parts;
  // `route()` has checked the types of `run` against the schemas that validate the input.
  const route = anyRoute as unknown as Route;
  const { status, secret, cookie } = ACCESS[route.access];
  const isConsole = route.access === 'console' || route.session === 'console';
  const cookies = isConsole ? parts.consoleCookies : parts.cookies;
  const routeLimit = limitOf(route.bucket);
  const readsSecret = route.headers?.properties?.['x-internal-secret'] !== undefined;
  const readInput = makeReadInput(route);

  const identify = async (
    ctx: Context,
    hasValidSecret: boolean,
  ): Promise<AuthenticatedCaller | undefined> => {
    // Also for open routes: it throws if another site may have sent a sign-in.
    const sessionCookies = cookies?.readTrustedCookies(ctx, route);
    if (secret && hasValidSecret) return undefined;
    if (status === undefined) {
      if (secret && !trusts?.(ctx.req)) throw secretNeeded();
      return undefined;
    }
    // A route that reads the secret takes full effect only with it. A wrong secret is refused, since a server with an outdated
    // one would otherwise act as the user, and get 200 for members of the body that had no effect.
    if (!hasValidSecret && readsSecret && ctx.req.headers['x-internal-secret'] !== undefined)
      throw secretNeeded();
    const caller = callerIn(ctx, cookies?.requestedKind(ctx.req, route));
    const usesCookie = cookie !== undefined && sessionCookies !== undefined && sessionCookies.length > 0;
    if (cookie === 'required' && !usesCookie) throw cookieNeeded();
    const principal =
      cookies !== undefined && usesCookie
        ? await cookies.authenticate(ctx, sessionCookies, status, caller)
        : await authenticate(requireBearerToken(ctx.req), status, caller);
    ctx.state.userId = principal.claims.userId;
    return principal;
  };

  /** Identifies the user first. A request whose caller is refused counts by client. */
  const admitUser = async (ctx: Context, limit: RateLimit | undefined, hasValidSecret: boolean) => {
    try {
      const principal = await identify(ctx, hasValidSecret);
      if (principal !== undefined) await limit?.byUser(ctx, principal.claims.userId);
      else await limit?.byClient(ctx);
      return principal;
    } catch (error) {
      // Without a budget the request was not counted yet: it was `identify` that threw.
      if (ctx.state.budget === undefined) await limit?.byClient(ctx);
      throw error;
    }
  };

  const admit = async (ctx: Context, limit: RateLimit | undefined, hasValidSecret: boolean) => {
    if (route.bucket !== 'none' && 'byUserAlone' in rateLimitBuckets[route.bucket])
      return admitUser(ctx, limit, hasValidSecret);
    await limit?.byClient(ctx);
    const principal = await identify(ctx, hasValidSecret);
    if (principal !== undefined) await limit?.byUser(ctx, principal.claims.userId);
    return principal;
  };

  return async (ctx: Context): Promise<void> => {
    ctx.state.route = route.path;
    if (route.navigation) {
      ctx.state.navigation = true;
      ctx.set('Referrer-Policy', 'no-referrer');
    }
    const hasValidSecret = hasSecret(ctx.req);
    const limit = hasValidSecret ? undefined : routeLimit;
    const admitted = await admit(ctx, route.countsRefusals ? undefined : limit, hasValidSecret);
    // Asked before the body is read, and used after it.
    const comesLater = await isStillToCome(ctx.req);
    const { body, query, params } = await readInput(ctx);
    const endUpload = route.upload?.begin?.(admitted, uploadSize(ctx.req, route.upload));
    try {
      const upload = await readBytes(ctx.req, route);
      // The body may come half a minute after the head, and the session may have ended since: check it again.
      const principal = admitted && comesLater ? await identify(ctx, hasValidSecret) : admitted;
      const caller = callerIn(ctx, cookies?.requestedKind(ctx.req, route));
      const run = () =>
        route.run({
          body,
          query,
          params,
          principal,
          caller,
          internal: hasValidSecret,
          admitAccount: async (key) => limit?.byAccount(ctx, key),
          upload,
          headers: ctx.req.headers,
          querystring: ctx.querystring,
          setCookie: (line) => ctx.res.appendHeader('Set-Cookie', line),
        });
      const answer = await (route.countsRefusals && limit ? countRefusal(ctx, limit, run) : run());
      sendResponse(ctx, cookies?.finish(ctx, route, principal, answer) ?? answer);
    } finally {
      endUpload?.();
    }
  };
};
