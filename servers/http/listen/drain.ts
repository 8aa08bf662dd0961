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

/** Connections without a request, or with half a head of one. Browsers open such connections in advance. */
const endUnasked = ({ connections }: DrainParts): void => {
  for (const { socket, answers } of connections.bySocket.values())
    if (answers.size === 0 && !socket.writableEnded) socket.destroy();
};

/**
 * Ends a server without losing a request. For `notice` milliseconds it goes on, but each answer ends its connection; a
 * connection that stays silent all that time is closed. A connection that was accepted in the last moment has as long
 * again for a request.
 */
export const drain = async (parts: DrainParts): Promise<void> => {
  const { server, connections, times, onCut } = parts;
  const { answers } = connections;
  for (const res of answers) if (!res.headersSent) res.setHeader('Connection', 'close');
  await wait(times.notice);
  // Closes right after a poll of the sockets: connections made before it have been accepted and get their answers.
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
  endUnasked(parts);
  await closed;
  clearTimeout(cut);
};
