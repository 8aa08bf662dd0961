import type { Socket } from 'node:net';
import { type Connection, type ConnectionLimit, isUnread } from './connections.ts';

/** The client with the most connections, the earlier of two with equally many. */
export const largestOf = <T extends ReadonlySet<Connection>>(clients: Iterable<T>): T | undefined => {
  let largest: T | undefined;
  for (const connections of clients) if (connections.size > (largest?.size ?? 0)) largest = connections;
  return largest;
};

/** The oldest connection that waits for a request, or else the oldest whose answer is not read, or else the oldest. */
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
 * Beyond `most` connections in all, closes one of the client that has the most, so that a few clients cannot take all
 * connections. Connections of trusted proxies are never closed for others: if there are no others, the new connection is closed.
 * See decision 0057.
 */
export const limitConnections = ({ server, connections, most, onCrowded }: ConnectionLimit): void => {
  server.on('connection', (socket: Socket) => {
    // The new connection is counted already, and a destroyed one until its `close` event.
    if (connections.bySocket.size <= most) return;
    const surplus = leastNeeded(largestOf(connections.byClient.values()))?.socket ?? socket;
    onCrowded(surplus, most);
    surplus.destroy();
  });
};
