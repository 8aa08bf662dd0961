import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';

export interface DrainParts {
  readonly server: Server;
  /** The answers that are not out yet, at any time. */
  readonly answering: ReadonlySet<ServerResponse>;
  /** Milliseconds. */
  readonly times: { readonly notice: number; readonly finish: number };
  /** Called with the number of answers that were cut off in the end. */
  readonly onCut: (count: number) => void;
}

/**
 * Ends a server without losing a request. For `notice` milliseconds it goes on, but has every connection end with the
 * answer it is waiting for; only connections that stay silent all that time are ended without one.
 */
export const drain = async ({ server, answering, times, onCut }: DrainParts): Promise<void> => {
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
  await closed;
  clearTimeout(cut);
};
