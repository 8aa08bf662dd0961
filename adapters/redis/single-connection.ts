import { isIP } from 'node:net';

/** One connection. It never reconnects. Each `deadline` is the time for the reply in milliseconds. */
export interface Client {
  /** Returns the reply. Rejects with an error reply, or when the connection is lost; a missed deadline ends the connection. */
  send(args: readonly string[], deadline: number): Promise<unknown>;
  /** Resolves when the channel is subscribed; from then on only PING may be sent. */
  subscribe(channel: string, listener: (message: string) => void, deadline: number): Promise<void>;
  end(): void;
}

/** Commands that may wait for their replies at the same time. */
const MOST_WAITING_COMMANDS = 1_000;

const socketOf = (url: string, connectTimeout: number) => {
  const { protocol, hostname } = new URL(url);
  const common = { connectTimeout, reconnectStrategy: false } as const;
  if (protocol !== 'rediss:') return common;
  // TLS names a server only by a host name (SNI). A URL has an IPv6 address in brackets.
  const hasHostName = hostname !== '' && isIP(hostname.replace(/^\[|\]$/g, '')) === 0;
  return { ...common, tls: true as const, ...(hasHostName ? { servername: hostname } : {}) };
};

/** Starts a deadline that is fair to a busy process. Returns a function that cancels it. */
const startDeadline = (milliseconds: number, giveUp: () => void): (() => void) => {
  let settled = false;
  let timer: NodeJS.Timeout | undefined;
  // A command is written at the end of the event-loop turn, just before this runs.
  setImmediate(() => {
    if (settled) return;
    // Replies that arrived while the process was busy are read before the deadline counts as missed.
    timer = setTimeout(() => {
      setImmediate(() => {
        if (!settled) giveUp();
      });
    }, milliseconds);
  });
  return () => {
    settled = true;
    clearTimeout(timer);
  };
};

export interface ConnectOptions {
  readonly url: string;
  /** Milliseconds for connection and handshake. */
  readonly connectTimeout: number;
  readonly onEnd: (cause: { readonly reason: unknown; readonly late: boolean }) => void;
}

/**
 * Connects once. A command that misses its deadline ends the connection and rejects all waiting commands, so that none waits
 * on for a late reply or is sent late. `onEnd` gets the reason, and whether a deadline caused the end; `end` does not call it.
 */
export const connectClient = async ({ url, connectTimeout, onEnd }: ConnectOptions): Promise<Client> => {
  const { createClient } = await import('redis');
  const client = createClient({
    url,
    socket: socketOf(url, connectTimeout),
    RESP: 2,
    disableOfflineQueue: true,
    commandsQueueMaxLength: MOST_WAITING_COMMANDS,
    // The library's default time-out halves its throughput.
    commandOptions: { timeout: 0 },
    disableClientInfo: true,
    maintNotifications: 'disabled',
  });
  let connected = false;
  let ended = false;

  const end = () => {
    ended = true;
    client.destroy();
  };
  const lose = (reason: unknown, late: boolean) => {
    if (ended) return;
    end();
    if (connected) onEnd({ reason, late });
  };
  client.on('error', (reason) => lose(reason, false));

  const cancelDeadline = startDeadline(connectTimeout, () => lose(undefined, true));
  try {
    await client.connect();
    if (ended) throw new Error('The connection came too late.');
    connected = true;
  } catch (error) {
    end();
    throw error;
  } finally {
    cancelDeadline();
  }

  const inTime = async <T>(work: Promise<T>, deadline: number): Promise<T> => {
    const cancel = startDeadline(deadline, () => lose(undefined, true));
    try {
      return await work;
    } finally {
      cancel();
    }
  };

  return {
    send: async (args, deadline) => inTime(client.sendCommand([...args]), deadline),
    subscribe: async (channel, listener, deadline) => inTime(client.subscribe(channel, listener), deadline),
    end,
  };
};
