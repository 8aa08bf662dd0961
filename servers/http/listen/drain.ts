import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';

export interface DrainParts {
  readonly server: Server;
  /** The open connections. */
  readonly sockets: ReadonlySet<Socket>;
  /** The answers that are not complete yet. */
  readonly answering: ReadonlySet<ServerResponse>;
  /** Milliseconds. */
  readonly times: { readonly notice: number; readonly finish: number };
  /** Called with the number of answers that were cut off. */
  readonly onCut: (count: number) => void;
}

/** Connections without a request, or with half a head of one. Browsers open such connections in advance. */
const endUnasked = ({ sockets, answering }: DrainParts): void => {
  const asked = new Set([...answering].map((res) => res.req.socket));
  for (const socket of sockets) if (!asked.has(socket) && !socket.writableEnded) socket.destroy();
};

/**
 * Ends a server without losing a request. For `notice` milliseconds it goes on, but each answer ends its connection; a
 * connection that stays silent all that time is closed. A connection that was accepted in the last moment has as long
 * again for a request.
 */
export const drain = async (parts: DrainParts): Promise<void> => {
  const { server, answering, times, onCut } = parts;
  for (const res of answering) if (!res.headersSent) res.setHeader('Connection', 'close');
  await wait(times.notice);
  // Closes right after a poll of the sockets: connections made before it have been accepted and get their answers.
  await turn();

  const closed = once(server, 'close');
  server.close();
  // An answer that had already begun could not carry `Connection: close`.
  for (const res of answering) res.once('close', () => setImmediate(() => server.closeIdleConnections()));

  const cut = setTimeout(() => {
    onCut(answering.size);
    server.closeAllConnections();
  }, times.finish);
  await Promise.race([closed, wait(times.notice)]);
  // After another poll of the sockets, so that requests already sent are read.
  await turn();
  endUnasked(parts);
  await closed;
  clearTimeout(cut);
};
