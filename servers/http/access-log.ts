import type { Middleware } from './context.ts';

/** One request. There is no place for a query, a body or a header. */
export interface AccessLine {
  readonly method: string;
  /** The route's path with its parameters unfilled; `-` when no route was met. */
  readonly route: string;
  /** 499 when the connection ended before the answer was out. */
  readonly status: number;
  readonly milliseconds: number;
  readonly requestId: string;
  readonly address: string;
  readonly userId?: string;
  /** Why it was refused. */
  readonly code?: string;
}

export type AccessLog = (line: AccessLine) => void;

/** Writes one line when the answer is out, or cannot be any more. */
export const logAccess =
  (write: AccessLog): Middleware =>
  (ctx, next) => {
    const began = performance.now();
    const { req, res, state } = ctx;
    res.once('close', () => {
      write({
        method: req.method ?? '-',
        route: state.route ?? '-',
        status: res.writableFinished ? res.statusCode : 499,
        milliseconds: Math.round((performance.now() - began) * 10) / 10,
        requestId: state.requestId,
        address: state.client.address,
        ...(state.userId === undefined ? {} : { userId: state.userId }),
        ...(state.code === undefined ? {} : { code: state.code }),
      });
    });
    return next();
  };
