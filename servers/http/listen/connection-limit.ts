import type { Socket } from 'node:net';
import { type Connection, type ConnectionLimit, isUnread } from './connections.ts';

/** The largest of the clients' sets of connections; of several largest sets the first. */
export const largestOf = <T extends ReadonlySet<Connection>>(clients: Iterable<T>): T | undefined => {
  let largest: T | undefined;
  for (const connections of clients) if (connections.size > (largest?.size ?? 0)) largest = connections;
  return largest;
};

/** The oldest connection without an open request, or else the oldest whose client does not read its answer, or else the oldest. */
const leastNeeded = (connections: ReadonlySet<Connection> = new Set()): Connection | undefined => {
  const [oldest] = connections;
  let unread: Connection | undefined;
  for (const connection of connections) {
    if (connection.answers.size === 0) return connection;
    if (isUnread(connection)) unread ??= connection;
  }
  return unread ?? oldest;
};

/**
 * Beyond `most` connections in all, closes a connection of the client with the most, so that a few clients cannot take all
 * connections. No connection of a trusted proxy is closed for others: if only proxies have connections, the new connection is
 * closed. See decision 0057.
 */
export const limitConnections = ({ server, connections, most, onCrowded }: ConnectionLimit): void => {
  server.on('connection', (socket: Socket) => {
    // The count includes the new connection, and destroyed ones until their `close` event.
    if (connections.bySocket.size <= most) return;
    const surplus = leastNeeded(largestOf(connections.byClient.values()))?.socket ?? socket;
    onCrowded(surplus, most);
    surplus.destroy();
  });
};
