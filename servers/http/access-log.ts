import type { AccessLog } from '../../core/index.ts';
import type { Middleware } from './context.ts';

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
