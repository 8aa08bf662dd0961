import type { Announcer } from '../../core/index.ts';
import type { Log } from '../../core/ports.ts';
import { reportTo } from './connection-log.ts';
import { openNodes } from './nodes.ts';
import { type Connection, openConnection } from './reconnecting-connection.ts';

/** Time between two checks whether Redis still answers on the subscriber's connection. */
const CHECK_INTERVAL_MS = 1_000;

export interface RedisAnnouncer extends Announcer, Pick<Connection, 'tried'> {
  /** Whether announcements of other processes arrive. */
  isUp(): Promise<boolean>;
}

/**
 * Announces writes to all processes with this address and prefix. Redis stores no messages: while a process has no subscription,
 * it sees the writes of other processes only when its cached reads expire after a second.
 */
export const openRedisAnnouncer = ({
  url,
  log,
  prefix = 'gatehouse:',
  deadline,
}: {
  readonly url: string;
  readonly log: Log;
  readonly prefix?: string;
  /** Milliseconds for a call, by default 250. */
  readonly deadline?: number;
}): RedisAnnouncer => {
  const channel = `${prefix}written`;
  /** They receive null if announcements about any users may have been missed. */
  const listeners: ((userId: string | null) => void)[] = [];
  const notify = (userId: string | null) => {
    for (const listener of listeners) listener(userId);
  };

  const publishers = openNodes({
    url,
    report: reportTo(log, 'announcer'),
    open: (nodeOptions) => openConnection({ ...nodeOptions, onReconnect: () => undefined, deadline }),
    deadline,
  });
  // A connection with a subscription publishes nothing (RESP 2). One subscriber is enough: a cluster passes messages
  // on to all its servers.
  const subscriber = openConnection({
    url: () => publishers.any().url,
    report: reportTo(log, 'announcements'),
    prepare: (client, callDeadline) => client.subscribe(channel, notify, callDeadline),
    onReconnect: () => notify(null),
    deadline,
  });
  const check = () => {
    // Reconnects if `publishers.any()` is another server now.
    subscriber.follow();
    // The subscriber sends nothing else, so only this PING can detect a dead connection.
    void subscriber.isUp();
  };
  const checkTimer = setInterval(check, CHECK_INTERVAL_MS).unref();

  return {
    announce: async (userId) => {
      try {
        await publishers.any().node.call(['PUBLISH', channel, userId]);
      } catch {
        // Other processes see the write when their cached reads expire.
      }
    },
    onAnnounced: (listener) => {
      listeners.push(listener);
    },
    isUp: subscriber.isUp,
    tried: Promise.all([publishers.tried, subscriber.tried]).then(() => undefined),
    close: async () => {
      clearInterval(checkTimer);
      await Promise.all([publishers.close(), subscriber.close()]);
    },
  };
};
