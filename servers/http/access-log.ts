import type { AccessLog, WatchRequest } from '../../core/index.ts';
import type { Middleware } from './context.ts';

/** The status in the log where the client left before the answer was sent, as nginx logs it. */
const CLIENT_LEFT = 499;

/** Logs one line per request when its answer is sent or its connection closed, and tells the watcher of start and end. */
export const logAccess =
  (write: AccessLog, watch?: WatchRequest): Middleware =>
  (ctx, next) => {
    const began = performance.now();
    const { req, res, state } = ctx;
    const method = req.method ?? '-';
    const watched = watch?.({ method, requestId: state.requestId, headers: req.headers });
    res.once('close', () => {
      const line = {
        method,
        route: state.route ?? '-',
        status: res.writableFinished ? res.statusCode : CLIENT_LEFT,
        milliseconds: Math.round((performance.now() - began) * 10) / 10,
        requestId: state.requestId,
        address: state.client.address,
        ...(state.userId === undefined ? {} : { userId: state.userId }),
        ...(state.code === undefined ? {} : { code: state.code }),
      };
      write(line);
      watched?.end(line);
    });
    return watched === undefined ? next() : watched.around(next);
  };
