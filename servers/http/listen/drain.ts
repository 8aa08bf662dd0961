import { once } from 'node:events';
import type { Server } from 'node:http';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import type { Connections } from './connections.ts';

export interface DrainParts {
  readonly server: Server;
  readonly connections: Connections;
  /** Milliseconds. */
  readonly times: { readonly notice: number; readonly finish: number };
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

/**
 * Ends a server without losing a request. For `notice` milliseconds the server continues, but each answer ends its
 * connection. Then it accepts no more connections and closes idle ones; a connection that has not sent a request yet has
 * `notice` milliseconds more, and open requests have `finish` milliseconds before they are cut off.
 */
export const drain = async (parts: DrainParts): Promise<void> => {
  const { server, connections, times, onCut } = parts;
  const { answers } = connections;
  // Requests under way get the header here, and those that come during the notice when they arrive.
  for (const res of answers) if (!res.headersSent) res.setHeader('Connection', 'close');
  await wait(times.notice);
  // Continues right after a poll of the sockets: connections made before it have been accepted and get their answers.
  await turn();

  const closed = once(server, 'close');
  server.close();
  // An answer that had already begun could not carry `Connection: close`.
  for (const res of answers) res.once('close', () => setImmediate(() => server.closeIdleConnections()));

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
