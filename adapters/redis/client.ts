import { isIP } from 'node:net';

/** One connection, from its making to its end. */
export interface Client {
  /** Gives the reply; rejects with an error reply, or when the connection is lost before the deadline, or by it. */
  send(args: readonly string[], deadline: number): Promise<unknown>;
  /** Resolves when messages of the channel come in; from then on nothing but PING may be sent. */
  subscribe(channel: string, listener: (message: string) => void, deadline: number): Promise<void>;
  end(): void;
}

/** Milliseconds for the connection and the greeting. */
const CONNECT = 1_000;
/** Commands that may wait for replies. */
const MOST_WAITING = 1_000;

const socketOf = (url: string) => {
  const { protocol, hostname } = new URL(url);
  const common = { connectTimeout: CONNECT, reconnectStrategy: false } as const;
  if (protocol !== 'rediss:') return common;
  const named = hostname !== '' && isIP(hostname.replace(/^\[|\]$/g, '')) === 0;
  return { ...common, tls: true as const, ...(named ? { servername: hostname } : {}) };
};

/**
 * After which a promise that does not settle is given up, however busy the process was meanwhile. Gives a function that
 * calls it off.
 */
const within = (milliseconds: number, giveUp: () => void): (() => void) => {
  let settled = false;
  let timer: NodeJS.Timeout | undefined;
  // What is sent is written only at the end of a turn, just before this runs.
  setImmediate(() => {
    if (settled) return;
    // Replies that came in while the process was busy are read before anything is given up.
    timer = setTimeout(() => setImmediate(() => settled || giveUp()), milliseconds);
  });
  return () => {
    settled = true;
    clearTimeout(timer);
  };
};

/**
 * Connects once. A command whose reply is not there in time ends the connection, and all that wait on it, so that no
 * late reply or write is waited for by anybody. `onEnd` hears of the end, unless `end` was called, and whether a
 * deadline was the cause.
 */
export const connectClient = async (given: {
  readonly url: string;
  readonly onEnd: (cause: { readonly reason: unknown; readonly late: boolean }) => void;
}): Promise<Client> => {
  const { url, onEnd } = given;
  const { createClient } = await import('@redis/client');
  const client = createClient({
    url,
    socket: socketOf(url),
    RESP: 2,
    disableOfflineQueue: true,
    commandsQueueMaxLength: MOST_WAITING,
    // Its own time-out takes half of its throughput.
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

  const callOff = within(CONNECT, () => lose(undefined, true));
  try {
    await client.connect();
    if (ended) throw new Error('The connection came too late.');
    connected = true;
  } catch (error) {
    end();
    throw error;
  } finally {
    callOff();
  }

  const inTime = async <T>(work: Promise<T>, deadline: number): Promise<T> => {
    const callOff = within(deadline, () => lose(undefined, true));
    try {
      return await work;
    } finally {
      callOff();
    }
  };

  return {
    send: async (args, deadline) => inTime(client.sendCommand([...args]), deadline),
    subscribe: async (channel, listener, deadline) =>
      inTime(
        client.subscribe(channel, (message) => listener(message)),
        deadline,
      ),
    end,
  };
};
