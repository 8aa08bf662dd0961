import type { AccessLog, WatchRequest } from '../../core/index.ts';
import type { Middleware } from './context.ts';

/** The logged status of a request whose client left before the answer was sent, as in nginx. */
const CLIENT_LEFT_STATUS = 499;

/** Logs one line per request, when its answer is sent or its connection closes. `watch` learns of its start and end. */
export const logAccess =
  (write: AccessLog, watch?: WatchRequest): Middleware =>
  (ctx, next) => {
    const startedAt = performance.now();
    const { req, res, state } = ctx;
    const method = req.method ?? '-';
    const watchedRequest = watch?.({ method, requestId: state.requestId, headers: req.headers });
    res.once('close', () => {
      const line = {
        method,
        route: state.route ?? '-',
        status: res.writableFinished ? res.statusCode : CLIENT_LEFT_STATUS,
        milliseconds: Math.round((performance.now() - startedAt) * 10) / 10,
        requestId: state.requestId,
        address: state.client.address,
        ...(state.userId === undefined ? {} : { userId: state.userId }),
        ...(state.code === undefined ? {} : { code: state.code }),
      };
      write(line);
      watchedRequest?.end(line);
    });
    return watchedRequest === undefined ? next() : watchedRequest.around(next);
  };
