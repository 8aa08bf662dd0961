import { unavailable } from '../../core/errors.ts';
import { isError } from '../calls/is-error.ts';
import type { Report } from './connection-log.ts';
import type { Script } from './scripts.ts';
import { makeConnect } from './sentinel.ts';
import type { Client } from './single-connection.ts';

/** The first word of an error reply, such as `OOM` or `NOSCRIPT`; undefined for other errors. */
export const replyWord = (error: unknown): string | undefined => {
  if (!isError(error)) return undefined;
  // Redis sends no word of its own for this, and `ERR` would count as a wrong setting.
  if (error.message.startsWith('ERR max number of clients')) return 'MAXCLIENTS';
  return /^[A-Z]{2,}(?= )/.exec(error.message)?.[0];
};

const WRONG_SETTING_WORDS = new Set<string | undefined>(['WRONGPASS', 'NOAUTH', 'NOPERM', 'NONAME', 'ERR']);

/** The word of an error reply if its cause is a wrong user, password, database number or name of the primary in the settings. */
export const wrongSetting = (error: unknown): string | undefined => {
  const word = replyWord(error);
  return WRONG_SETTING_WORDS.has(word) ? word : undefined;
};

/** A word for the log. The text of the error may quote an address or a value, and is never logged. */
const failureWord = (error: unknown): string =>
  replyWord(error) ??
  (isError(error) && 'code' in error && typeof error.code === 'string' ? error.code : 'lost');

// Node.js and OpenSSL have these words in the codes of certificates that are not trusted, expired or of another host.
const CERTIFICATE_WORD = /CERT|VERIFY|TLS|SSL/;

export interface Calls {
  /** Deadlines in milliseconds. */
  call(args: readonly string[], deadline?: number): Promise<unknown>;
  run(script: Script, keys: readonly string[], args: readonly string[], deadline?: number): Promise<unknown>;
}

/**
 * A connection that reconnects. While it is down, calls throw at once, by default the error `redis_unavailable`. They also
 * throw for an error reply, and at their deadline, which ends the connection.
 */
export interface Connection extends Calls {
  /** Calls about a slot that the server is importing from another server of its cluster. */
  readonly asking: Calls;
  /** Redis's own clock, epoch milliseconds, extrapolated from the last reading. */
  serverTime(): number;
  /** Reads the clock again. */
  readServerTime(): Promise<void>;
  isUp(): Promise<boolean>;
  isConnected(): boolean;
  /** Reconnects if the function `url` now returns another address. */
  follow(): void;
  /** If the last attempt to connect failed because of a wrong setting, the first word of the error reply, such as `NOAUTH`. */
  wrongSetting(): string | undefined;
  /** Resolves when the first attempt has succeeded or failed: in little more than a second, with sentinels in some seconds. */
  readonly tried: Promise<void>;
  /** Waits for the calls under way. */
  close(): Promise<void>;
}

/** For a call. */
export const DEADLINE_MS = 250;
/** For connection and handshake. */
const CONNECT_TIMEOUT_MS = 1_000;
/** The time between two attempts to connect; after a missed deadline or `READONLY` always the longest pause. */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

export const redisUnavailable = () => unavailable('redis_unavailable', 'Redis does not answer; try again.');

/** Redis forgets ASKING after the next command, so both are sent in one turn. */
const afterAsking = (client: Client): Pick<Client, 'send'> => ({
  send: (args, deadline) => {
    // The loss of the connection also rejects the command itself.
    void client.send(['ASKING'], deadline).catch(() => undefined);
    return client.send(args, deadline);
  },
});

/** Starts to connect. Calls `onReconnect` after each connection, even the first, and before the first call over it. */
export const openConnection = ({
  url,
  report,
  onReconnect,
  prepare,
  refusal = redisUnavailable,
  deadline: usualDeadline = DEADLINE_MS,
}: {
  /** A function is called for each attempt. */
  readonly url: string | (() => string);
  readonly report: Report;
  readonly onReconnect: () => void;
  /** Prepares each new connection. If it throws, the attempt to connect has failed. */
  readonly prepare?: (client: Client, deadline: number) => Promise<void>;
  /** Returns the error of failed calls. Gets the error reply, if that is what failed. */
  readonly refusal?: (reply?: unknown) => Error;
  /** Milliseconds for a call that names no deadline, by default 250. */
  readonly deadline?: number | undefined;
}): Connection => {
  let client: Client | undefined;
  let clock = { server: 0, local: 0 };
  let failures = 0;
  let reportedDown = false;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;
  /** The attempt to connect that started last. */
  let connecting: Promise<void> | undefined;
  /** The value of `wrongSetting()`. */
  let refusedFor: string | undefined;
  const underWay = new Set<Promise<unknown>>();

  const askTime = async (current: Client) => {
    const reply = await current.send(['TIME'], usualDeadline);
    const [seconds, microseconds] = Array.isArray(reply) ? reply.map(Number) : [];
    if (seconds === undefined || microseconds === undefined) throw new Error('Redis returned no time.');
    clock = { server: seconds * 1_000 + microseconds / 1_000, local: performance.now() };
  };

  const onDown = (reason: string, pause: number) => {
    client = undefined;
    if (closed) return;
    const needsOperator = refusedFor !== undefined || CERTIFICATE_WORD.test(reason);
    if (!reportedDown || needsOperator) report.failed(reason);
    reportedDown = true;
    retry = setTimeout(() => {
      connecting = connect();
    }, pause);
  };

  const onUp = (connected: Client) => {
    client = connected;
    failures = 0;
    refusedFor = undefined;
    if (reportedDown) report.back();
    reportedDown = false;
    onReconnect();
  };

  const addressNow = typeof url === 'string' ? () => url : url;
  let address = addressNow();
  let connectServer = makeConnect(address);

  const connect = async () => {
    let connected: Client | undefined;
    const lost = new AbortController();
    if (address !== addressNow()) {
      address = addressNow();
      connectServer = makeConnect(address);
    }
    try {
      connected = await connectServer({
        connectTimeout: Math.max(CONNECT_TIMEOUT_MS, usualDeadline),
        onEnd: ({ reason, late }) => {
          lost.abort(reason);
          // Before `onUp` the attempt itself handles the loss: one of its calls fails, or `throwIfAborted` below throws.
          if (client === undefined || client !== connected) return;
          if (late) onDown('late', LONGEST_PAUSE_MS);
          else onDown(failureWord(reason), FIRST_PAUSE_MS);
        },
      });
      // Shows that Redis answers in time, so that no call must find out.
      await askTime(connected);
      await prepare?.(connected, usualDeadline);
      // The connection may have been lost while the caller prepared it.
      lost.signal.throwIfAborted();
      if (closed) throw refusal();
      onUp(connected);
    } catch (error) {
      connected?.end();
      refusedFor = wrongSetting(error);
      failures += 1;
      // A random pause, so that not all processes reconnect at once.
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS) * (0.75 + Math.random() / 4);
      onDown(failureWord(error), pause);
    }
  };

  /** Ends a connection that still works. `end` does not call `onEnd`, so this calls `onDown` itself. */
  const leave = (current: Client, reason: string, pause: number) => {
    current.end();
    onDown(reason, pause);
  };

  const onRefusal = (reason: string, current: Client) => {
    report.refused(reason);
    // The server became a replica; the host name or the sentinels now lead to the new primary.
    if (reason === 'READONLY' && client === current) leave(current, reason, LONGEST_PAUSE_MS);
  };

  const withClient = async <T>(work: (current: Client) => Promise<T>): Promise<T> => {
    const current = client;
    if (current === undefined || closed) throw refusal();
    const promise = work(current);
    underWay.add(promise);
    try {
      return await promise;
    } catch (error) {
      const reason = replyWord(error);
      if (reason === undefined) throw refusal();
      onRefusal(reason, current);
      throw refusal(error);
    } finally {
      underWay.delete(promise);
    }
  };

  const callsBy = (senderOf: (current: Client) => Pick<Client, 'send'>): Calls => ({
    call: (args, deadline = usualDeadline) => withClient((current) => senderOf(current).send(args, deadline)),
    run: ({ digest, source }, keys, args, deadline = usualDeadline) =>
      withClient(async (current) => {
        const sender = senderOf(current);
        const params = [String(keys.length), ...keys, ...args];
        try {
          return await sender.send(['EVALSHA', digest, ...params], deadline);
        } catch (error) {
          if (replyWord(error) !== 'NOSCRIPT') throw error;
          return sender.send(['EVAL', source, ...params], deadline);
        }
      }),
  });
  const calls = callsBy((current) => current);

  const tried = connect();
  connecting = tried;
  return {
    ...calls,
    asking: callsBy(afterAsking),
    serverTime: () => clock.server + performance.now() - clock.local,
    readServerTime: () => withClient(askTime),
    isUp: () =>
      calls.call(['PING']).then(
        () => true,
        () => false,
      ),
    isConnected: () => client !== undefined,
    follow: () => {
      if (client !== undefined && address !== addressNow()) leave(client, 'SWITCHED', FIRST_PAUSE_MS);
    },
    wrongSetting: () => refusedFor,
    tried,
    close: async () => {
      closed = true;
      clearTimeout(retry);
      await connecting;
      await Promise.allSettled(underWay);
      client?.end();
      client = undefined;
    },
  };
};
