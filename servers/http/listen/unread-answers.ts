import type { Socket } from 'node:net';
import { makeFairTurns } from '../fair-turns.ts';
import { largestOf } from './connection-limit.ts';
import { type Connection, type ConnectionLimit, isUnread } from './connections.ts';
import type { ServeTimes } from './time-outs.ts';

/** Connections that are closed in one turn of the event loop: a thousand in one turn would delay other clients. */
const CLOSED_IN_A_TURN = 32;

/** All clients together may have this many times as many unread answers as one client. */
const ALL_CLIENTS_FACTOR = 4;

interface Progress {
  /** The bytes that the operating system has taken. The bytes of a write do not count before all of them are taken. */
  readonly taken: number;
  /** Milliseconds of the monotonic clock at which this number was first seen. */
  readonly at: number;
}

const takenBy = (socket: Socket): number => socket.bytesWritten - socket.writableLength;

/**
 * Closes connections whose client does not read its answer: those without progress for `times.unread`, the oldest of a
 * client that has more than `most`, and if there are more than `ALL_CLIENTS_FACTOR * most`, the oldest of the client with
 * the most. An answer that is still being computed is not counted, since the client cannot change that. See decision 0057.
 */
export const endUnreadAnswers = (
  { server, connections, most, onCrowded }: ConnectionLimit,
  times: Pick<ServeTimes, 'unread' | 'checkUnreadEvery'>,
): void => {
  const progress = new WeakMap<Socket, Progress>();
  const turns = makeFairTurns(CLOSED_IN_A_TURN);
  const close = (socket: Socket) => turns.run(socket, () => socket.destroy());

  const isStalled = ({ socket }: Connection): boolean => {
    const now = performance.now();
    const taken = takenBy(socket);
    const before = progress.get(socket);
    if (before?.taken === taken) return now - before.at >= times.unread;
    progress.set(socket, { taken, at: now });
    return false;
  };

  const endOldest = (limit: number, unread: Set<Connection> | undefined): void => {
    if (unread === undefined) return;
    // A set keeps the order of its members, here that in which the connections came.
    const [oldest] = unread;
    if (oldest === undefined) return;
    unread.delete(oldest);
    onCrowded(oldest.socket, limit);
    close(oldest.socket);
  };

  const closeUnread = () => {
    if (connections.answers.size === 0) return;
    const byClient = new Map<string, Set<Connection>>();
    let count = 0;
    for (const connection of connections.bySocket.values()) {
      const { socket, client } = connection;
      if (!isUnread(connection)) progress.delete(socket);
      else if (isStalled(connection)) close(socket);
      // A trusted proxy has no `client`: it carries the answers of many clients, so these limits do not apply to it.
      else if (client !== undefined) {
        byClient.set(client, (byClient.get(client) ?? new Set()).add(connection));
        count += 1;
      }
    }
    for (const unread of byClient.values()) {
      while (unread.size > most) {
        endOldest(most, unread);
        count -= 1;
      }
    }
    const mostInAll = ALL_CLIENTS_FACTOR * most;
    while (count > mostInAll) {
      endOldest(mostInAll, largestOf(byClient.values()));
      count -= 1;
    }
  };

  const timer = setInterval(closeUnread, times.checkUnreadEvery).unref();
  server.once('close', () => clearInterval(timer));
};
