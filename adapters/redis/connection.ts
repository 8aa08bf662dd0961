import { unavailable } from '../../core/errors.ts';
import { type Client, connectClient } from './client.ts';
import { failureWord, replyWord, wrongSetting } from './failures.ts';
import type { Report } from './report.ts';
import type { Script } from './scripts.ts';

/**
 * A connection that is made again and again. While it is down calls fail at once, with `unavailable`; so they do when
 * Redis refuses, and at their deadline, which also ends the connection.
 */
export interface Connection {
  /** Deadlines in milliseconds, 250 unless told. */
  call(args: readonly string[], deadline?: number): Promise<unknown>;
  run(script: Script, keys: readonly string[], args: readonly string[], deadline?: number): Promise<unknown>;
  /** Redis's own clock, epoch milliseconds, as of the last time it was asked. */
  serverTime(): number;
  /** Asks it. */
  readServerTime(): Promise<void>;
  isUp(): Promise<boolean>;
  /** Why it was refused when it was last tried in vain, where another setting alone could change that. */
  wrongSetting(): string | undefined;
  /** Resolves when the first attempt has succeeded or failed, in little more than a second. */
  readonly tried: Promise<void>;
  /** Waits for the calls under way. */
  close(): Promise<void>;
}

const DEADLINE = 250;
/** Milliseconds between two attempts to connect. After a missed deadline always the longest. */
const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 1_000;

const redisUnavailable = () => unavailable('redis_unavailable', 'Redis does not answer; try again.');

/** Begins to connect, and calls `onReconnect` each time that it is, before the first call goes through. */
export const openConnection = (given: {
  readonly url: string;
  readonly report: Report;
  readonly onReconnect: () => void;
  /** Done with each new connection before it is taken into use. */
  readonly prepare?: (client: Client) => Promise<void>;
  /** The error of failed calls. */
  readonly refusal?: () => Error;
}): Connection => {
  const { url, report, onReconnect, prepare, refusal = redisUnavailable } = given;
  let client: Client | undefined;
  let clock = { server: 0, own: 0 };
  let failures = 0;
  let failing = false;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;
  const underWay = new Set<Promise<unknown>>();

  const askTime = async (asked: Client) => {
    const reply = await asked.send(['TIME'], DEADLINE);
    const [seconds, microseconds] = Array.isArray(reply) ? reply.map(Number) : [];
    if (seconds === undefined || microseconds === undefined) throw new Error('Redis told no time.');
    clock = { server: seconds * 1_000 + microseconds / 1_000, own: performance.now() };
  };

  const onDown = (reason: string, pause: number) => {
    client = undefined;
    if (closed) return;
    if (!failing) report.failed(reason);
    failing = true;
    retry = setTimeout(() => {
      connecting = connect();
    }, pause);
  };

  const onUp = (connected: Client) => {
    client = connected;
    failures = 0;
    if (failing) report.back();
    failing = false;
    onReconnect();
  };

  let refusedFor: string | undefined;

  const connect = async () => {
    let connected: Client | undefined;
    try {
      connected = await connectClient({
        url,
        onEnd: ({ reason, late }) => {
          if (client !== connected) return;
          if (late) onDown('late', LONGEST_PAUSE);
          else onDown(failureWord(reason), FIRST_PAUSE);
        },
      });
      // Shows that it answers in time, so that no call has to try it.
      await askTime(connected);
      await prepare?.(connected);
      if (closed) throw refusal();
      onUp(connected);
    } catch (error) {
      connected?.end();
      refusedFor = wrongSetting(error);
      failures += 1;
      // Not all processes at once.
      const pause = Math.min(FIRST_PAUSE * 2 ** failures, LONGEST_PAUSE) * (0.75 + Math.random() / 4);
      onDown(failureWord(error), pause);
    }
  };

  const onRefusal = (reason: string, by: Client) => {
    report.refused(reason);
    // It became a replica; the new master has its host name now.
    if (reason !== 'READONLY' || client !== by) return;
    by.end();
    onDown(reason, LONGEST_PAUSE);
  };

  const guarded = async <T>(work: (by: Client) => Promise<T>): Promise<T> => {
    const by = client;
    if (by === undefined || closed) throw refusal();
    const working = work(by);
    underWay.add(working);
    try {
      return await working;
    } catch (error) {
      const reason = replyWord(error);
      if (reason !== undefined) onRefusal(reason, by);
      throw refusal();
    } finally {
      underWay.delete(working);
    }
  };

  const call = (args: readonly string[], deadline = DEADLINE) => guarded((by) => by.send(args, deadline));

  const tried = connect();
  let connecting = tried;
  return {
    call,
    run: ({ digest, source }, keys, args, deadline = DEADLINE) =>
      guarded(async (by) => {
        const rest = [String(keys.length), ...keys, ...args];
        try {
          return await by.send(['EVALSHA', digest, ...rest], deadline);
        } catch (error) {
          if (replyWord(error) !== 'NOSCRIPT') throw error;
          return by.send(['EVAL', source, ...rest], deadline);
        }
      }),
    serverTime: () => clock.server + performance.now() - clock.own,
    readServerTime: () => guarded(askTime),
    isUp: () =>
      call(['PING']).then(
        () => true,
        () => false,
      ),
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
