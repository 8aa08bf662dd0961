import type { Announcer } from '../../core/index.ts';
import type { Log } from '../../core/ports.ts';
import { openConnection } from './connection.ts';
import { reportTo } from './report.ts';

/** Milliseconds between two looks at whether the subscription's connection still answers. */
const LOOK = 1_000;
/** Milliseconds that it may take to subscribe. */
const SUBSCRIBE = 250;

export interface RedisAnnouncer extends Announcer {
  /** Whether announcements of others come in. */
  isUp(): Promise<boolean>;
  /** Resolves when the first attempt to connect has succeeded or failed, in little more than a second. */
  readonly tried: Promise<void>;
}

/**
 * Announces over a channel of Redis, which all that know the address and the prefix listen to. Redis keeps nothing for
 * those who are not connected: from the loss of the subscription until it is made again nothing comes in, so that what
 * others write is seen only when an answer that was kept is a second old.
 */
export const openRedisAnnouncer = (given: {
  readonly url: string;
  readonly log: Log;
  readonly prefix?: string;
}): RedisAnnouncer => {
  const { url, log, prefix = 'gatehouse:' } = given;
  const channel = `${prefix}written`;
  const listeners: ((userId: string | null) => void)[] = [];
  const tell = (userId: string | null) => {
    for (const listener of listeners) listener(userId);
  };

  const speaking = openConnection({ url, report: reportTo(log, 'announcer'), onReconnect: () => undefined });
  // A connection that listens takes no commands (RESP 2).
  const listening = openConnection({
    url,
    report: reportTo(log, 'announcements'),
    prepare: (client) => client.subscribe(channel, tell, SUBSCRIBE),
    onReconnect: () => tell(null),
  });
  // What has nothing to say does not notice that its line went dead.
  const looking = setInterval(listening.isUp, LOOK).unref();

  return {
    announce: async (userId) => {
      await speaking.call(['PUBLISH', channel, userId]).catch(() => undefined);
    },
    onAnnounced: (listener) => {
      listeners.push(listener);
    },
    isUp: listening.isUp,
    tried: Promise.all([speaking.tried, listening.tried]).then(() => undefined),
    close: async () => {
      clearInterval(looking);
      await Promise.all([speaking.close(), listening.close()]);
    },
  };
};
