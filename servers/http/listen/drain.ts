import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { type Connections, isIdle } from './connections.ts';
import { pollPrimary } from './poll-primary.ts';

export interface DrainParts {
  readonly server: Server;
  readonly connections: Connections;
  /** Milliseconds. */
  readonly times: { readonly notice: number; readonly finish: number };
  /** Whether other workers accept the connections that this one leaves. */
  readonly isReplaced: boolean;
  /** Called with the number of answers that were cut off. */
  readonly onCut: (count: number) => void;
}

/**
 * Closes connections without a complete request head. Browsers open such connections in advance. A socket that was ended
 * stays: it may still be sending its last answer.
 */
const closeUnused = ({ connections }: DrainParts): void => {
  for (const { socket, answers } of connections.bySocket.values())
    if (answers.size === 0 && !socket.writableEnded) socket.destroy();
};

/** How much longer than `notice`, by which the quiet times of workers differ, one may take to close on a busy machine. */
const WORKER_DELAY_MS = 100;

/** If none comes for this time, no connection waits. A client connects again after an answer, later on a busy machine. */
const QUIET_MS = 100;

/** New clients may connect without end. */
const ACCEPT_TIMEOUT_MS = 2_000;

/**
 * Accepts the connections that wait in the operating system, which resets them when the server stops accepting: Node.js accepts
 * only one in a turn of the event loop. Their requests are not read before the returned function is called, since a client with
 * an answer may connect again, without end.
 */
const acceptWaiting = async (server: Server): Promise<() => void> => {
  const accepted: Socket[] = [];
  const pause = function (this: Socket) {
    this.pause();
  };
  // Runs after all other listeners, which resume the socket. Some resume it only later, hence `pause` on each `resume`.
  const acceptPaused = (socket: Socket) => {
    accepted.push(socket);
    socket.on('resume', pause);
    socket.pause();
  };
  server.on('connection', acceptPaused);
  const end = performance.now() + ACCEPT_TIMEOUT_MS;
  let count: number;
  do {
    count = accepted.length;
    await wait(QUIET_MS);
    // On a busy machine the time may pass without a poll of the sockets.
    if (cluster.isWorker) await pollPrimary(ACCEPT_TIMEOUT_MS);
    await turn();
  } while (accepted.length > count && performance.now() < end);
  server.off('connection', acceptPaused);
  return () => {
    for (const socket of accepted) socket.off('resume', pause).resume();
  };
};

/**
 * Ends a server without losing a request. For `notice` milliseconds the server continues, but each answer ends its
 * connection. Then it accepts the connections that wait, but no more, and closes idle ones; a connection that has not sent a
 * request yet has `notice` milliseconds more, and open requests have `finish` milliseconds before they are cut off.
 */
export const drain = async (parts: DrainParts): Promise<void> => {
  const { server, connections, times, isReplaced, onCut } = parts;
  const { answers } = connections;
  // Requests under way get the header here, and those that come during the notice when they arrive.
  for (const res of answers) if (!res.headersSent) res.setHeader('Connection', 'close');
  await wait(times.notice);
  let readAccepted: (() => void) | undefined;
  // Both continue right after a poll of the sockets, in which a process without workers has accepted its latest connection.
  if (isReplaced) await turn();
  else readAccepted = await acceptWaiting(server);

  const closed = once(server, 'close');
  // `server.close` calls this method. From Node.js 26 on, the built-in one also closes connections that have sent no request yet.
  server.closeIdleConnections = () => {
    for (const connection of connections.bySocket.values())
      if (isIdle(connection)) connection.socket.destroy();
  };
  server.close();
  // An answer that began before the notice carries no `Connection: close`, so its connection is closed once it is idle.
  for (const res of answers) res.once('close', () => setImmediate(() => server.closeIdleConnections()));
  // The primary process accepts connections until its last worker is closed.
  if (cluster.isWorker && !isReplaced) await wait(times.notice + WORKER_DELAY_MS);
  readAccepted?.();

  const cut = setTimeout(() => {
    onCut(answers.size);
    server.closeAllConnections();
  }, times.finish);
  await Promise.race([closed, wait(times.notice)]);
  // After another poll of the sockets, so that requests already sent are read.
  await turn();
  closeUnused(parts);
  await closed;
  clearTimeout(cut);
};
