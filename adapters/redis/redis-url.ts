import { ConfigError } from '../config/config-error.ts';

/** A primary that sentinels watch. */
export interface SentinelGroup {
  /** The addresses of the sentinels, with the credentials that they ask for. */
  readonly sentinels: readonly string[];
  /** The name under which the sentinels know the primary. */
  readonly name: string;
  /** Returns the address of a server of the group, with its credentials and the database. */
  serverUrl(host: string, port: string): string;
}

const SENTINEL_SCHEME = /^rediss?\+sentinel:/;
const SENTINEL_URL =
  /^(rediss?)\+sentinel:\/\/(?:([^@/?#]*)@)?([^@/?#]+)\/([\w.-]+)(?:\/(\d*))?(?:\?([^#]*))?$/;
/** The query's parameters, by the names that ioredis gives them. */
const [USERNAME, PASSWORD] = ['sentinelUsername', 'sentinelPassword'] as const;
const SENTINEL_PORT = '26379';

/** Adds the port, and brackets if an IPv6 address has none. */
const hostAndPort = (host: string, port: string): string =>
  host.includes(':') && !host.startsWith('[') ? `[${host}]:${port}` : `${host}:${port}`;

/** Whether credentials can be decoded: otherwise every attempt to connect fails. */
const isEncoded = (credentials: string): boolean => {
  try {
    decodeURIComponent(credentials);
    return true;
  } catch {
    return false;
  }
};

const isHost = (address: string): boolean => URL.canParse(address) && new URL(address).hostname !== '';

/** Returns undefined for other addresses, and for malformed ones. */
export const parseSentinelUrl = (url: string): SentinelGroup | undefined => {
  const [, scheme, userInfo = '', list = '', name = '', database = '', query = ''] =
    SENTINEL_URL.exec(url) ?? [];
  const hosts = list.split(',').map((host) => `${scheme}://${host}`);
  const params = new URLSearchParams(query);
  const hasOnlyKnown = [...params.keys()].every((key) => key === USERNAME || key === PASSWORD);
  if (scheme === undefined || !hosts.every(isHost) || !hasOnlyKnown || !isEncoded(userInfo)) {
    return undefined;
  }
  const [user, password] = [USERNAME, PASSWORD].map((key) => encodeURIComponent(params.get(key) ?? ''));
  const sentinelLogin = password === '' ? '' : `${user}:${password}@`;
  return {
    sentinels: hosts.map((host) => {
      const { hostname, port } = new URL(host);
      return `${scheme}://${sentinelLogin}${hostAndPort(hostname, port || SENTINEL_PORT)}`;
    }),
    name,
    serverUrl: (host, port) =>
      `${scheme}://${userInfo === '' ? '' : `${userInfo}@`}${hostAndPort(host, port)}/${database}`,
  };
};

/** Throws `ConfigError` unless Redis or its sentinels can be found by the address. */
export const requireRedisUrl = (url: string): void => {
  if (SENTINEL_SCHEME.test(url)) {
    if (parseSentinelUrl(url) !== undefined) return;
    throw new ConfigError([
      'REDIS_URL: must be redis+sentinel://, then hosts and ports separated by commas, /, the name of the primary, and optionally / and the number of a database',
    ]);
  }
  if (URL.canParse(url) && /^\/?\d*$/.test(new URL(url).pathname)) return;
  throw new ConfigError(['REDIS_URL: must end with its host and port, or with the number of a database']);
};
