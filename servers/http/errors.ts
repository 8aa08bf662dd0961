import { CoreError, type ErrorKind, type Log } from '../../core/index.ts';
import type { Context, Middleware } from './context.ts';
import { type AnswerCode, HttpError } from './http-error.ts';
import { closeAfterAnswer } from './listen/connections.ts';
import type { MakeErrorPage } from './page/error-page.ts';
import { JSON_TYPE } from './response-body.ts';
import { sendResponse } from './send-response.ts';

/** The form of a service's errors: `{message, code}` or `{error, message}`. */
export type ErrorStyle = 'account' | 'metadata';

/** The status of each kind of `CoreError`. Only this table chooses it. */
const STATUS: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  missing: 404,
  conflict: 409,
  throttled: 429,
  refused: 400,
  unavailable: 503,
};

/** The answer to a refused request. */
export interface RefusalAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
}

interface Refusal extends RefusalAnswer {
  readonly code: AnswerCode;
}

/** RFC 6750 section 3: the challenge names an error only if the request had a token. */
const challenge = (code: AnswerCode, hasToken: boolean) =>
  hasToken && code === 'invalid_token' ? 'Bearer error="invalid_token"' : 'Bearer';

/** RFC 9470 section 3, but with 403: clients answer a 401 with a refresh, which does not make the sign-in fresh. */
const STALE_CHALLENGE = 'Bearer error="insufficient_user_authentication"';

const coreHeaders = (error: CoreError, hasToken: boolean): Record<string, string> => {
  const { maxAge } = error.facts.details ?? {};
  if (error.code === 'fresh_authentication_needed')
    return { 'WWW-Authenticate': `${STALE_CHALLENGE}, max_age=${String(maxAge)}` };
  if (error.kind === 'unauthenticated') return { 'WWW-Authenticate': challenge(error.code, hasToken) };
  if (error.kind === 'throttled' || error.kind === 'unavailable')
    return { 'Retry-After': String(Math.max(1, Math.ceil(error.facts.retryAfter ?? 1))) };
  return {};
};

const bodyOf = (style: ErrorStyle, code: AnswerCode, message: string): Refusal['body'] =>
  style === 'account' ? { message, code } : { error: code, message };

/** The body of a refusal. The metadata service has one code for every malformed request. */
export const describeRefusal = ({ status, code, message }: HttpError, style: ErrorStyle): Refusal['body'] =>
  bodyOf(style, style === 'metadata' && status === 400 ? 'invalid_request' : code, message);

const INTERNAL_ERROR = new HttpError(500, 'internal', 'Something went wrong on our side.');

const refusalOf = (error: unknown, style: ErrorStyle, hasToken: boolean): Refusal => {
  if (error instanceof CoreError) {
    const { kind, code, message, facts } = error;
    // The details come first, so that none of them can replace the code or the message.
    const body = { ...facts.details, ...bodyOf(style, code, message) };
    return { status: STATUS[kind], code, headers: coreHeaders(error, hasToken), body };
  }
  const httpError = error instanceof HttpError ? error : INTERNAL_ERROR;
  const { status, code, headers } = httpError;
  return { status, code, headers, body: describeRefusal(httpError, style) };
};

/**
 * The account service's response to an error, for apps whose own routes should refuse callers in the same form. An error
 * of the app becomes a 500 without details; the app logs it.
 */
export const answerTo = (error: unknown): RefusalAnswer => {
  // Whether the request had a token is not known here, so the challenge names no error.
  const { status, headers, body } = refusalOf(error, 'account', false);
  return { status, headers: { ...headers, 'Content-Type': JSON_TYPE }, body };
};

const sendRefusal = (ctx: Context, refusal: Refusal, errorPage: MakeErrorPage | undefined) => {
  ctx.state.code = refusal.code;
  ctx.status = refusal.status;
  for (const name in refusal.headers) {
    if (name === 'Connection') closeAfterAnswer(ctx.res);
    else ctx.set(name, refusal.headers[name] ?? '');
  }
  const page = errorPage?.(ctx, refusal);
  if (page !== undefined) return sendResponse(ctx, page);
  // The route may have set another type before it failed.
  ctx.set('Content-Type', JSON_TYPE);
  ctx.body = JSON.stringify(refusal.body);
};

/**
 * Turns every error of the inner steps into an answer: JSON, or a page where `errorPage` makes one. An unexpected error is
 * logged and becomes a 500 without details.
 */
export const answerErrors =
  (style: ErrorStyle, log: Log, errorPage?: MakeErrorPage): Middleware =>
  async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const refusal = refusalOf(error, style, ctx.req.headers.authorization !== undefined);
      if (refusal.status === 500) {
        const { requestId, client } = ctx.state;
        log.error('http.failed', { requestId, address: client.address, error });
      }
      sendRefusal(ctx, refusal, errorPage);
    }
  };

/** Error codes of a connection that the client closed. */
const CLIENT_LEFT_CODES = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE']);

/** Logs errors while an answer is written, which only Koa sees. Koa may report the same error repeatedly. */
export const logStrayErrors = (log: Log) => (error: NodeJS.ErrnoException, ctx: Context) => {
  const { state } = ctx;
  if (CLIENT_LEFT_CODES.has(error.code ?? '') || state.code === INTERNAL_ERROR.code) return;
  state.code = INTERNAL_ERROR.code;
  log.error('http.failed', { requestId: state.requestId, error });
};
