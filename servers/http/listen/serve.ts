import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Log } from '../../../core/index.ts';
import { MOST_HEADERS } from '../check-head.ts';
import { makePeerKey } from '../client-address.ts';
import type { ErrorStyle } from '../errors.ts';
import { REPLACED } from '../health.ts';
import { bindPort } from './bind-port.ts';
import { answerClientError } from './client-error.ts';
import { limitConnections } from './connection-limit.ts';
import { type Connections, isInBody, trackConnections } from './connections.ts';
import { drain } from './drain.ts';
import { limitOpenHeads } from './open-heads.ts';
import { limitPipelining } from './pipelining.ts';
import { type ServeTimes, timesFor } from './time-outs.ts';
import { endUnreadAnswers } from './unread-answers.ts';

export interface ServeParts {
  readonly app: { callback(): RequestListener };
  readonly host: string;
  /** 0: a free port. */
  readonly port: number;
  /** The setting that `port` comes from, for the error message. */
  readonly portSetting: string;
  /** The setting that `host` comes from; `HOST` when absent. */
  readonly hostSetting?: string;
  /** The name of the server in the log. */
  readonly name: string;
  /** The error style for requests that never reach an app. */
  readonly style: ErrorStyle;
  /** Addresses and CIDRs. */
  readonly trustedProxies: readonly string[];
  /**
   * The most connections of one client that wait for a request head, the most that wait for the rest of a body, and the most
   * with unread answers. All clients together may have four times as many with unread answers. Trusted proxies are not
   * limited.
   */
  readonly maxOpenHeads: number;
  /** The most connections of all clients. */
  readonly maxConnections?: number;
  /** Aborted when `close` is called, so that readiness turns to 503. */
  readonly closing: AbortController;
  readonly log: Log;
  /** Whether the server logs its address. */
  readonly announces: boolean;
  readonly times?: Partial<ServeTimes>;
}

export interface RunningServer {
  readonly url: string;
  readonly port: number;
  /**
   * Drains: for 200 ms the server continues, but its answers carry `Connection: close`. Then it accepts no more connections,
   * closes idle ones, and gives open requests 25 s. Further calls wait for the same.
   */
  close(): Promise<void>;
}

const makeServer = (times: ServeTimes): Server => {
  const server = createServer({
    headersTimeout: times.headers,
    requestTimeout: times.request,
    connectionsCheckingInterval: times.checkEvery,
    keepAliveTimeout: times.idle,
    maxHeaderSize: 16_384,
    // The app checks the Host header itself and refuses in its error style.
    requireHostHeader: false,
  });
  // Node.js drops headers beyond this number. It is one more than a request may have, so that `checkHead` sees the excess.
  server.maxHeadersCount = MOST_HEADERS + 1;
  server.maxRequestsPerSocket = 1_000;
  // An option of `net.createServer` that `node:http` does not pass on. Without it Node.js reads up to 64 KB of each new
  // connection, even of one that is paused immediately. `limitPipelining` begins to read.
  return Object.assign(server, { pauseOnConnect: true });
};

const portOf = (server: Server): number => {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

const addressOf = (socket: Duplex): { address?: string } =>
  socket instanceof Socket && socket.remoteAddress !== undefined ? { address: socket.remoteAddress } : {};

const MOST_CONNECTIONS = 2_000;

const WARNING_INTERVAL_MS = 60_000;

/**
 * Makes the warning about connections that are closed for the sake of others. Each limit logs at most one line a minute, so that an
 * attacker can neither fill the log nor, at one limit, hide that another is exceeded.
 */
const makeCrowdWarning = (log: Log) => {
  const quietUntilByLimit = new Map<number, number>();
  return (socket: Socket, limit: number): void => {
    const now = performance.now();
    if (now < (quietUntilByLimit.get(limit) ?? 0)) return;
    quietUntilByLimit.set(limit, now + WARNING_INTERVAL_MS);
    log.warn('http.crowded', { count: limit, ...addressOf(socket) });
  };
};

/**
 * Refuses bytes that Node.js could not read as a request. If complete requests before them are unanswered, answers only these.
 * Then closes the connection.
 */
const answerUnreadable =
  (connections: Connections, style: ErrorStyle, log: Log) =>
  (error: NodeJS.ErrnoException, socket: Duplex): void => {
    const connection = connections.bySocket.get(socket as Socket);
    const answers = [...(connection?.answers ?? [])];
    const isLatestInBody = connection !== undefined && isInBody(connection);
    // A request whose body is still coming has no open answer only if its answer is already complete.
    const hasAnswerBegun = answers.some((res) => res.headersSent) || (isLatestInBody && answers.length === 0);
    // If the connection has an open request, as when its body is broken, the refusal bears the id of that request.
    const requestId = String(answers[0]?.getHeader('X-Request-Id') ?? randomUUID());
    // The answer to the latest complete request: the last answer, or the one before it if the last request is still in its body.
    const latestComplete = answers.at(isLatestInBody ? -2 : -1);
    if (latestComplete !== undefined && socket.writable && error.code?.startsWith('HPE_')) {
      if (latestComplete.headersSent) latestComplete.once('finish', () => (socket as Socket).destroySoon());
      else latestComplete.setHeader('Connection', 'close');
      log.info('http.unreadable', { requestId, reason: 'invalid_http', ...addressOf(socket) });
      return;
    }
    const reason = answerClientError(socket, { errorCode: error.code, hasAnswerBegun, style, requestId });
    if (reason !== undefined) log.info('http.unreadable', { requestId, reason, ...addressOf(socket) });
  };

/** Serves an app over HTTP. Throws `CannotListen`. */
export const serve = async (parts: ServeParts): Promise<RunningServer> => {
  const { host, log, name, style, closing } = parts;
  const times = { ...timesFor(parts.trustedProxies.length > 0), ...parts.times };
  const server = makeServer(times);
  const handle = parts.app.callback();
  const { maxOpenHeads, maxConnections = MOST_CONNECTIONS } = parts;
  const connections = trackConnections(server, makePeerKey(parts.trustedProxies));
  const onCrowded = makeCrowdWarning(log);
  const limitOf = (most: number) => ({ server, connections, most, onCrowded });

  limitPipelining({ server, connections, onCrowded });
  limitConnections(limitOf(maxConnections));
  limitOpenHeads(limitOf(maxOpenHeads));
  endUnreadAnswers(limitOf(maxOpenHeads), times);
  server.on('request', (req, res) => {
    if (closing.signal.aborted) res.setHeader('Connection', 'close');
    handle(req, res);
  });
  // Expectations other than 100-continue go to the app, which refuses them in its error style.
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  server.on('clientError', answerUnreadable(connections, style, log));

  await bindPort(server, host, parts.port, parts.portSetting, parts.hostSetting);
  const port = portOf(server);
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  if (parts.announces) log.info('server.listening', { id: name, address: url });

  const close = async () => {
    closing.abort();
    log.info('server.draining', { id: name, count: connections.answers.size });
    const onCut = (count: number) => log.warn('server.cut', { id: name, count });
    const isReplaced = closing.signal.reason === REPLACED;
    await drain({ server, connections, times, isReplaced, onCut });
    log.info('server.closed', { id: name });
  };
  let closed: Promise<void> | undefined;
  return {
    url,
    port,
    close: () => {
      closed ??= close();
      return closed;
    },
  };
};
