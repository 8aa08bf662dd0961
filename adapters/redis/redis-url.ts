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

/** A Redis Cluster. */
export interface ClusterAddress {
  /** The addresses of servers that are asked for the others. */
  readonly seeds: readonly string[];
  /** Returns the address of a server of the cluster, with its credentials. */
  serverUrl(host: string, port: string): string;
}

const SENTINEL_SCHEME = /^rediss?\+sentinel:/;
const SENTINEL_URL =
  /^(rediss?)\+sentinel:\/\/(?:([^@/?#]*)@)?([^@/?#]+)\/([\w.-]+)(?:\/(\d*))?(?:\?([^#]*))?$/;
/** The query's parameters, by the names that ioredis gives them. */
const USERNAME_PARAM = 'sentinelUsername';
const PASSWORD_PARAM = 'sentinelPassword';
const SENTINEL_PORT = '26379';
/** The form that `redisAddress` gives to a `redis://` address of a cluster. */
const CLUSTER_URL = /^(rediss?)\+cluster:\/\/(?:([^@/?#]*)@)?([^@/?#]+?)(?:\/(\d*))?$/;
const REDIS_PORT = '6379';

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

/** Returns undefined unless it is a well-formed address of sentinels. */
export const parseSentinelUrl = (url: string): SentinelGroup | undefined => {
  const [, scheme, userInfo = '', list = '', name = '', database = '', query = ''] =
    SENTINEL_URL.exec(url) ?? [];
  const hosts = list.split(',').map((host) => `${scheme}://${host}`);
  const params = new URLSearchParams(query);
  const hasOnlyKnownParams = [...params.keys()].every(
    (key) => key === USERNAME_PARAM || key === PASSWORD_PARAM,
  );
  if (scheme === undefined || !hosts.every(isHost) || !hasOnlyKnownParams || !isEncoded(userInfo)) {
    return undefined;
  }
  const user = encodeURIComponent(params.get(USERNAME_PARAM) ?? '');
  const password = encodeURIComponent(params.get(PASSWORD_PARAM) ?? '');
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

/** Returns undefined unless it is a well-formed address of a cluster. */
export const parseClusterUrl = (url: string): ClusterAddress | undefined => {
  const [, scheme, userInfo = '', list = '', database = ''] = CLUSTER_URL.exec(url) ?? [];
  const hosts = list.split(',').map((host) => `${scheme}://${host}`);
  if (scheme === undefined || Number(database) !== 0 || !hosts.every(isHost) || !isEncoded(userInfo)) {
    return undefined;
  }
  const serverUrl = (host: string, port: string) =>
    `${scheme}://${userInfo === '' ? '' : `${userInfo}@`}${hostAndPort(host, port)}`;
  return {
    seeds: hosts.map((host) => serverUrl(new URL(host).hostname, new URL(host).port || REDIS_PORT)),
    serverUrl,
  };
};

/** Returns the address in the form that `openNodes` and `makeConnect` take. Throws `ConfigError`, which names the setting. */
export const redisAddress = (url: string, setting: string, isCluster: boolean): string => {
  const settingError = (must: string) => new ConfigError([`${setting}: must ${must}`]);
  if (SENTINEL_SCHEME.test(url)) {
    if (parseSentinelUrl(url) !== undefined) return url;
    throw settingError(
      'be redis+sentinel://, then hosts and ports separated by commas, /, the name of the primary, and optionally / and the number of a database',
    );
  }
  if (isCluster || url.includes(',')) {
    const address = url.replace(/^rediss?/, '$&+cluster');
    if (parseClusterUrl(address) !== undefined) return address;
    throw settingError(
      'be redis://, then hosts and ports separated by commas: a cluster has no other database than 0',
    );
  }
  if (!URL.canParse(url) || !/^\/?\d*$/.test(new URL(url).pathname))
    throw settingError('end with its host and port, or with the number of a database');
  const { username, password } = new URL(url);
  if (![username, password].every(isEncoded))
    throw settingError('have its user and password percent-encoded: %25 for a literal %');
  return url;
};
