import type { IncomingMessage } from 'node:http';
import { type Caller, CoreError, type Log, type NewCookie, type Standing } from '../../../core/index.ts';
import type { Answer } from '../answer.ts';
import type { Authenticate, Known } from '../authenticate.ts';
import type { Context } from '../context.ts';
import type { Route } from '../route.ts';
import { type CookieForm, clearingLine, settingLine, valuesOf } from './cookie.ts';
import { crossSite, isReading, judge } from './cross-site.ts';

export interface CookieSessionParts {
  readonly form: CookieForm;
  /** What a session is that begins in the cookie. */
  readonly kind: 'cookie' | 'console';
  /** Whose pages may use the cookie, where a browser sends no Fetch Metadata. */
  readonly origins: () => readonly string[];
  readonly authenticateCookie: Authenticate;
  readonly log: Log;
}

/** All that endpoints do about sessions in cookies. */
export interface CookieSessions {
  /** What a session is to be that begins with this request; undefined: it is not kept in the cookie. */
  asked(req: IncomingMessage, route: Route): 'cookie' | 'console' | undefined;
  /**
   * The cookies of the name that count, judged before their values mean anything; none where the request has no such
   * cookie. Throws 403 (`cross_site`) for a request that another site may have sent with the cookie, or for it.
   */
  judged(ctx: Context, route: Route): readonly string[];
  /** The caller behind the cookie. A dead one is cleared. Throws what `authenticate` throws. */
  authenticate(ctx: Context, cookies: readonly string[], standing: Standing, caller: Caller): Promise<Known>;
  /** The answer as it is sent: the cookie goes into a header, and is cleared where the session is over. */
  finish(ctx: Context, route: Route, who: Known | undefined, answer: Answer): Answer;
}

const notOne = () =>
  new CoreError('unauthenticated', 'invalid_token', 'A request has one cookie of a session at most.');

/** What the core gives with a session in a cookie: tokens that are empty, and what is to be set. */
interface WithCookie {
  readonly cookie: NewCookie;
  readonly token?: string;
  readonly refreshToken?: string;
}

const hasNewCookie = (body: unknown): body is WithCookie =>
  typeof body === 'object' && body !== null && 'cookie' in body;

const NONE: readonly string[] = [];

const addLine = (ctx: Context, line: string) => ctx.res.appendHeader('Set-Cookie', line);

export const makeCookieSessions = (parts: CookieSessionParts): CookieSessions => {
  const { form, kind, origins, authenticateCookie, log } = parts;
  const valuesIn = ({ headers: { cookie } }: IncomingMessage) =>
    cookie === undefined ? NONE : valuesOf(cookie, form.name);
  const isAsked = (req: IncomingMessage, { session }: Route): boolean => {
    if (kind === 'console') return session === 'console';
    // Nothing begins with a request that reads.
    return req.headers['x-session'] === 'cookie' && !isReading(req);
  };

  return {
    asked: (req, route) => (isAsked(req, route) ? kind : undefined),
    judged: (ctx, route) => {
      const { req, state } = ctx;
      const values = req.headers.authorization === undefined ? valuesIn(req) : NONE;
      if (values.length === 0 && !isAsked(req, route)) return NONE;
      const judgement = judge(req, origins());
      if (judgement === 'refused') {
        log.warn('csrf.refused', { requestId: state.requestId, address: state.client.address });
        throw crossSite();
      }
      return judgement === 'goes' ? values : NONE;
    },
    authenticate: async (ctx, [value = '', second], standing, caller) => {
      // Which of two is ours is not known: a host beside this one may have set the other.
      if (second !== undefined) throw notOne();
      return authenticateCookie(value, standing, caller).catch((error: unknown) => {
        const isDead = error instanceof CoreError && error.code === 'invalid_token';
        if (isDead) addLine(ctx, clearingLine(form));
        throw error;
      });
    },
    finish: (ctx, route, who, answer) => {
      const isOver = route.session === 'ends' || answer.endsSession;
      if (isOver && who?.cookie !== undefined) addLine(ctx, clearingLine(form));
      if (!hasNewCookie(answer.body)) return answer;
      const { cookie, token, refreshToken, ...body } = answer.body;
      addLine(ctx, settingLine(form, cookie));
      return { ...answer, body };
    },
  };
};
