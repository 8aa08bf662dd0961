import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';

export interface DrainParts {
  readonly server: Server;
  /** The connections there are, at any time. */
  readonly sockets: ReadonlySet<Socket>;
  /** The answers that are not out yet, at any time. */
  readonly answering: ReadonlySet<ServerResponse>;
  /** Milliseconds. */
  readonly times: { readonly notice: number; readonly finish: number };
  /** Called with the number of answers that were cut off in the end. */
  readonly onCut: (count: number) => void;
}

/** Those with no request under way, as a browser opens them in advance, or with half a head of one. */
const endUnasked = ({ sockets, answering }: DrainParts): void => {
  const asked = new Set([...answering].map((res) => res.req.socket));
  for (const socket of sockets) if (!asked.has(socket) && !socket.writableEnded) socket.destroy();
};

/**
 * Ends a server without losing a request. For `notice` milliseconds it goes on, but has every connection end with the
 * answer it is waiting for; only connections that stay silent all that time are ended without one. Who was accepted in
 * the last moment has as long again for a request.
 */
export const drain = async (parts: DrainParts): Promise<void> => {
  const { server, answering, times, onCut } = parts;
  for (const res of answering) if (!res.headersSent) res.setHeader('Connection', 'close');
  await wait(times.notice);
  // Right after a look at the sockets: whoever connected until now has been accepted and will be answered.
  await turn();

  const closed = once(server, 'close');
  server.close();
  // An answer that had begun before could not be told to end its connection.
  for (const res of answering) res.once('close', () => setImmediate(() => server.closeIdleConnections()));

  const cut = setTimeout(() => {
    onCut(answering.size);
    server.closeAllConnections();
  }, times.finish);
  await Promise.race([closed, wait(times.notice)]);
  // Not before another look at the sockets: what they sent by now is read.
  await turn();
  endUnasked(parts);
  await closed;
  clearTimeout(cut);
};
