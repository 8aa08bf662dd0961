import type { IncomingMessage } from 'node:http';
import {
  type Caller,
  CoreError,
  type Log,
  type NewCookie,
  type RequiredStatus,
} from '../../../core/index.ts';
import type { Authenticate, AuthenticatedCaller } from '../authenticate.ts';
import type { Context } from '../context.ts';
import { valuesOf } from '../cookie-header.ts';
import { HttpError } from '../http-error.ts';
import type { ResponseBody } from '../response-body.ts';
import type { Route } from '../route.ts';
import { type CookieForm, clearCookieLine, setCookieLine } from './cookie-attributes.ts';

export interface CookieSessionParts {
  readonly form: CookieForm;
  /** The kind of the sessions that this cookie holds. */
  readonly kind: 'cookie' | 'console';
  /** The origins whose pages may use the cookie, for browsers without Fetch Metadata. */
  readonly origins: () => readonly string[];
  readonly authenticateCookie: Authenticate;
  readonly log: Log;
}

/** Sessions in cookies, as endpoints use them. */
export interface CookieSessions {
  /** `kind` if the request asks for its session in a cookie, otherwise undefined. */
  requestedKind(req: IncomingMessage, route: Route): 'cookie' | 'console' | undefined;
  /**
   * The values of the request's session cookies. Returns none if the request has a bearer token, or is a read that another site
   * may have sent. Any other request that another site may have sent is refused with 403 (`cross_site`) if it has a session
   * cookie or asks for one.
   */
  readTrustedCookies(ctx: Context, route: Route): readonly string[];
  /** The caller behind the cookie. Throws as `Authenticate` does, also for two cookies. Clears the cookie of an ended session. */
  authenticate(
    ctx: Context,
    cookies: readonly string[],
    requiredStatus: RequiredStatus,
    caller: Caller,
  ): Promise<AuthenticatedCaller>;
  /** The response as it is sent: a new cookie moves into a header, and the cookie of an ended session is cleared. */
  finish(
    ctx: Context,
    route: Route,
    caller: AuthenticatedCaller | undefined,
    answer: ResponseBody,
  ): ResponseBody;
}

const isReading = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD';

/**
 * Whether the headers say that a page of this site sent the request. Fetch Metadata decides, or `Origin` if a
 * browser sends no Fetch Metadata. A read also passes if the user began it (`none`), or if it has neither header. The Host
 * header is not trusted.
 */
const isFromThisSite = (req: IncomingMessage, origins: readonly string[]): boolean => {
  const { origin, 'sec-fetch-site': site } = req.headers;
  if (site !== undefined) return site === 'same-origin' || (site === 'none' && isReading(req));
  return origin === undefined ? isReading(req) : origins.includes(origin);
};

const crossSite = () =>
  new HttpError(403, 'cross_site', 'This request comes from another site, or from an unknown one.');

const severalCookies = () =>
  new CoreError('unauthenticated', 'invalid_token', 'A request may have at most one session cookie.');

/** Whether the use case's result has a cookie to set. */
const hasNewCookie = (body: unknown): body is { readonly cookie: NewCookie } =>
  typeof body === 'object' && body !== null && 'cookie' in body;

const NO_COOKIES: readonly string[] = [];

const addSetCookie = (ctx: Context, line: string) => ctx.res.appendHeader('Set-Cookie', line);

export const makeCookieSessions = (parts: CookieSessionParts): CookieSessions => {
  const { form, kind, origins, authenticateCookie, log } = parts;
  const valuesIn = ({ headers: { cookie } }: IncomingMessage) =>
    cookie === undefined ? NO_COOKIES : valuesOf(cookie, form.name);
  const asksForCookie = (req: IncomingMessage, { session }: Route): boolean => {
    if (kind === 'console') return session === 'console';
    // A read begins no session.
    return req.headers['x-session'] === 'cookie' && !isReading(req);
  };

  return {
    requestedKind: (req, route) => (asksForCookie(req, route) ? kind : undefined),
    readTrustedCookies: (ctx, route) => {
      const { req, state } = ctx;
      // A bearer token takes precedence over the cookie.
      const values = req.headers.authorization === undefined ? valuesIn(req) : NO_COOKIES;
      if (values.length === 0 && !asksForCookie(req, route)) return NO_COOKIES;
      if (isFromThisSite(req, origins())) return values;
      // A read has no effect, so it proceeds, but without the cookie.
      if (isReading(req)) return NO_COOKIES;
      log.warn('csrf.refused', { requestId: state.requestId, address: state.client.address });
      throw crossSite();
    },
    authenticate: async (ctx, [value = '', secondValue], requiredStatus, caller) => {
      // Either of two cookies may come from a sibling host, so neither is trusted.
      if (secondValue !== undefined) throw severalCookies();
      return authenticateCookie(value, requiredStatus, caller).catch((error: unknown) => {
        const hasEnded = error instanceof CoreError && error.code === 'invalid_token';
        if (hasEnded) addSetCookie(ctx, clearCookieLine(form));
        throw error;
      });
    },
    finish: (ctx, route, caller, answer) => {
      const endsSession = route.session === 'ends' || answer.endsSession;
      if (endsSession && caller?.cookie !== undefined) addSetCookie(ctx, clearCookieLine(form));
      if (!hasNewCookie(answer.body)) return answer;
      const { cookie, ...body } = answer.body;
      addSetCookie(ctx, setCookieLine(form, cookie));
      return { ...answer, body };
    },
  };
};
