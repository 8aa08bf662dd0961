import { isError } from '../calls/is-error.ts';
import { parseSentinelUrl, type SentinelGroup } from './redis-url.ts';
import { type Client, type ConnectOptions, connectClient } from './single-connection.ts';

/** For the connection to a sentinel, and for each of its replies. */
const SENTINEL_TIMEOUT_MS = 250;
/** The time between two checks whether the sentinels still name the same primary. */
const CHECK_INTERVAL_MS = 1_000;

type Connect = (options: Omit<ConnectOptions, 'url'>) => Promise<Client>;

// The errors are worded like replies of Redis, so that their first words are logged.

const UNKNOWN_NAME = 'NONAME The sentinel knows no primary of this name.';
const isUnknownName = (error: unknown): boolean => isError(error) && error.message === UNKNOWN_NAME;

const askForPrimary = async (sentinel: Client, { name, serverUrl }: SentinelGroup): Promise<string> => {
  const reply = await sentinel.send(['SENTINEL', 'get-master-addr-by-name', name], SENTINEL_TIMEOUT_MS);
  if (!Array.isArray(reply)) throw new Error(UNKNOWN_NAME);
  return serverUrl(String(reply[0]), String(reply[1]));
};

/** Connects to a server; throws if it is a replica. */
const connectToPrimary = async (options: ConnectOptions): Promise<Client> => {
  const client = await connectClient(options);
  try {
    const reply = await client.send(['ROLE'], options.connectTimeout);
    if (Array.isArray(reply) && reply[0] === 'master') return client;
    throw new Error('READONLY The sentinels name a replica.');
  } catch (error) {
    client.end();
    throw error;
  }
};

/**
 * Returns a function that connects to the server with this address, or to the primary that its sentinels name. The connection
 * ends when they name another primary: what is written to the former one is lost.
 */
export const makeConnect = (url: string): Connect => {
  const group = parseSentinelUrl(url);
  if (group === undefined) return (options) => connectClient({ ...options, url });
  const { sentinels } = group;
  /** The index of the sentinel to ask. The next one is asked once the answer of this one could not be used. */
  let sentinelIndex = 0;

  return async ({ connectTimeout, onEnd }) => {
    let sentinel: Client | undefined;
    let timer: NodeJS.Timeout | undefined;
    let isOpen = false;

    const leaveSentinel = () => {
      sentinel?.end();
      sentinel = undefined;
    };
    const close = () => {
      isOpen = false;
      clearTimeout(timer);
      leaveSentinel();
    };
    const lose: typeof onEnd = (cause) => {
      if (!isOpen) return;
      close();
      onEnd(cause);
    };

    const askSentinel = async (): Promise<string> => {
      const sentinelUrl = sentinels[sentinelIndex] ?? '';
      sentinel ??= await connectClient({
        url: sentinelUrl,
        connectTimeout: SENTINEL_TIMEOUT_MS,
        onEnd: leaveSentinel,
      });
      return askForPrimary(sentinel, group);
    };

    /** Asks the sentinels in turn until `use` succeeds with the address that one of them names. */
    const usePrimary = async <T>(use: (address: string) => Promise<T>): Promise<T> => {
      const serverFailures = new Map<string, unknown>();
      let sentinelFailure: unknown;
      for (const _ of sentinels) {
        const address = await askSentinel().catch((error: unknown) => {
          // An unknown name is thrown only if every sentinel answers so: a sentinel that is down may know the name.
          if (sentinelFailure === undefined || isUnknownName(sentinelFailure)) sentinelFailure = error;
        });
        // No second attempt at a server that has failed: several sentinels may name it.
        if (address !== undefined && !serverFailures.has(address)) {
          try {
            return await use(address);
          } catch (error) {
            serverFailures.set(address, error);
          }
        }
        leaveSentinel();
        sentinelIndex = (sentinelIndex + 1) % sentinels.length;
      }
      // The failure of a named server says more than that of a sentinel.
      throw [...serverFailures.values()].at(-1) ?? sentinelFailure;
    };

    const { address, client } = await usePrimary(async (address) => ({
      address,
      client: await connectToPrimary({ url: address, connectTimeout, onEnd: lose }),
    }));

    /** True only if the other server that a sentinel names is a primary itself. */
    const isReplaced = () =>
      usePrimary(async (named) => {
        if (named === address) return false;
        const other = await connectToPrimary({ url: named, connectTimeout, onEnd: () => undefined });
        other.end();
        return true;
      }).catch(() => false);

    const check = async () => {
      const replaced = await isReplaced();
      // The connection was closed meanwhile, and the check may have connected to a sentinel since.
      if (!isOpen) return leaveSentinel();
      if (!replaced) return checkLater();
      client.end();
      lose({ reason: new Error('SWITCHED The sentinels name another primary.'), late: false });
    };
    const checkLater = () => {
      timer = setTimeout(() => void check(), CHECK_INTERVAL_MS).unref();
    };

    isOpen = true;
    checkLater();
    return {
      ...client,
      end: () => {
        close();
        client.end();
      },
    };
  };
};
