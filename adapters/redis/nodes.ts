import { partsOf } from '../../core/pagination.ts';
import { isError } from '../calls/is-error.ts';
import { mergeMaps, type Owners, ownersIn } from './cluster-map.ts';
import type { Report } from './connection-log.ts';
import { TAGS, tagOf } from './hash-tags.ts';
import {
  type Calls,
  type Connection,
  DEADLINE_MS,
  redisUnavailable,
  replyWord,
  wrongSetting,
} from './reconnecting-connection.ts';
import { type ClusterAddress, parseClusterUrl } from './redis-url.ts';

/** The servers that have the keys: one, or the primaries of a cluster. */
export interface Nodes<Node extends Connection> extends Pick<Connection, 'tried' | 'wrongSetting' | 'close'> {
  /** The part of a key that decides in a cluster which primary has it, such as `{07}`; empty for one server. */
  tagOf(name: string): string;
  /** One tag of each primary, and one tag without a primary if there are such tags. */
  tags(): readonly string[];
  /** Runs the work on the primary of the tag. If Redis answers that another server has the slot, runs the work again there. */
  at<T>(tag: string, work: (node: Node) => Promise<T>): Promise<T>;
  /** Runs the work once for all items, whose keys have the tag; while their slot is being moved, once for each item. */
  each<Item, T>(
    tag: string,
    items: readonly Item[],
    work: (node: Node, items: readonly Item[]) => Promise<T>,
  ): Promise<readonly T[]>;
  primaries(): readonly Node[];
  /** A server and its address, connected if any server is. */
  any(): { readonly url: string; readonly node: Node };
}

/** What a connection to a server is opened with. */
export interface NodeOptions {
  readonly url: string;
  readonly report: Report;
  /** Makes the error of a failed call. Gets the error reply, if that is what failed. */
  readonly refusal: (reply?: unknown) => Error;
  /** The server replaces another one in a fail-over, and may lack its last writes. */
  readonly isSuccessor: boolean;
}

interface NodesOptions<Node> {
  readonly url: string;
  readonly report: Report;
  readonly open: (options: NodeOptions) => Node;
  /** Returns the error of failed calls. */
  readonly refusal?: () => Error;
  /** Milliseconds for which a call waits until another server can be used, by default 250. */
  readonly deadline: number | undefined;
}

/** Connects to the server, to the primary that sentinels name, or to all primaries of a cluster. */
export const openNodes = <Node extends Connection>(options: NodesOptions<Node>): Nodes<Node> => {
  const cluster = parseClusterUrl(options.url);
  return cluster === undefined ? openServer(options) : openCluster(cluster, options);
};

const openServer = <Node extends Connection>({
  url,
  report,
  open,
  refusal = redisUnavailable,
}: NodesOptions<Node>): Nodes<Node> => {
  const node = open({ url, report, refusal, isSuccessor: false });
  return {
    tagOf: () => '',
    tags: () => [''],
    at: (_, work) => work(node),
    each: async (_, items, work) => [await work(node, items)],
    primaries: () => [node],
    any: () => ({ url, node }),
    tried: node.tried,
    wrongSetting: node.wrongSetting,
    close: node.close,
  };
};

const MAP_READ_INTERVAL_MS = 1_000;
/** The wait for the first connection to a server, unless the deadline is longer. Only a server that hangs takes more time. */
const FIRST_CONNECT_MS = 1_000;
/** How often one call follows a reply to another server: its slot may be moved again before the call gets there. */
const MOST_REDIRECTIONS = 4;
/** First words of error replies while a slot is being moved. TRYAGAIN: the keys of the call are on two servers. */
const REDIRECTIONS = new Set(['MOVED', 'ASK', 'TRYAGAIN']);

interface Redirection {
  /** ASK: this call alone goes to the server. MOVED: so do later calls. */
  readonly isAsk: boolean;
  readonly host: string;
  readonly port: string;
}

/** The redirection in an error reply that names another server; undefined for other errors. */
const redirectionIn = (error: unknown): Redirection | undefined => {
  if (!isError(error)) return undefined;
  const [, word, host = '', port = ''] = /^(MOVED|ASK) \d+ (.*):(\d+)$/.exec(error.message) ?? [];
  return word === undefined ? undefined : { isAsk: word === 'ASK', host, port };
};

/** Waits for the work, but not longer than these milliseconds. */
const within = async (milliseconds: number, work: Promise<unknown>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
};

const openCluster = <Node extends Connection>(
  { seeds, serverUrl }: ClusterAddress,
  { report, open, refusal = redisUnavailable, deadline = DEADLINE_MS }: NodesOptions<Node>,
): Nodes<Node> => {
  const firstConnect = Math.max(FIRST_CONNECT_MS, deadline);
  // `isAsked`: an ASK reply has named the server since the map was last read, so that it stays open although no map names it.
  const servers = new Map<string, { readonly node: Node; isAsked: boolean }>();
  const down = new Set<string>();
  let owners: Owners = new Map();
  /** If the last reading of the map failed because of a wrong setting, the first word of the error reply, such as `NOAUTH`. */
  let refusedFor: string | undefined;
  let reading: Promise<void> | undefined;
  let closed = false;

  const markUp = (url: string) => {
    if (down.delete(url) && down.size === 0) report.back();
  };
  const reportOf = (url: string): Report => ({
    failed: (reason) => {
      if (down.size === 0 || down.has(url)) report.failed(reason);
      down.add(url);
    },
    back: () => markUp(url),
    refused: (reason) => {
      // While a server is down and its slots have no new primary, the others refuse calls. The outage is reported already.
      const isKnown = reason === 'CLUSTERDOWN' && down.size > 0;
      if (!REDIRECTIONS.has(reason) && !isKnown) report.refused(reason);
    },
  });

  /** The server at the address; connects to a new one. Its calls throw error replies as they are, for `attempt`. */
  const serverAt = (url: string, isSuccessor = false) => {
    const server = servers.get(url) ?? {
      node: open({
        url,
        report: reportOf(url),
        refusal: (reply) => (isError(reply) ? reply : refusal()),
        isSuccessor,
      }),
      isAsked: false,
    };
    servers.set(url, server);
    return server;
  };
  const drop = (url: string) => {
    void servers.get(url)?.node.close();
    servers.delete(url);
    markUp(url);
  };

  /** The address in a reply of the server at `sender`. An empty host stands for the host of the sender. */
  const urlFrom = (sender: string) => (host: string | null, port: number | string) =>
    serverUrl(host || new URL(sender).hostname, String(port));

  /** The map of the server at `url`, in a list; an empty list if the server gives none. */
  const readAt = async (url: string) => {
    const { node } = serverAt(url);
    await within(firstConnect, node.tried);
    try {
      const commands = ['INFO', 'SLOTS'].map((name) => node.call(['CLUSTER', name]));
      const [info, slots] = await Promise.all(commands);
      const epoch = Number(/^cluster_current_epoch:(\d+)/m.exec(String(info))?.[1] ?? 0);
      return [{ url, epoch, owners: ownersIn(slots, urlFrom(url)) }];
    } catch (error) {
      refusedFor ??= wrongSetting(error) ?? node.wrongSetting();
      return [];
    }
  };

  /** The maps of these servers as one; undefined if no server answers. */
  const readFrom = async (urls: Iterable<string>): Promise<Owners | undefined> => {
    const answers = (await Promise.all([...urls].map(readAt))).flat();
    return answers.length === 0 ? undefined : mergeMaps(answers);
  };

  const adopt = async (map: Owners) => {
    // The old primary of a tag that has no primary now is remembered until the tag has a new one.
    const newOwners = new Map([...owners, ...map]);
    const oldServers = new Set(owners.values());
    const neededServers = new Set(newOwners.values());
    const primariesNow = new Set(map.values());
    const isFailover = [...oldServers].some((url) => !primariesNow.has(url));
    const addedServers = [...neededServers].filter((url) => !oldServers.has(url));
    // A connection that was opened before its server became a primary does not know that the server is a successor, which may
    // lack the last writes of the former primary.
    if (isFailover) for (const url of addedServers) drop(url);
    await within(firstConnect, Promise.all(addedServers.map((url) => serverAt(url, isFailover).node.tried)));
    owners = newOwners;
    for (const [url, server] of servers) {
      if (!neededServers.has(url) && !server.isAsked) drop(url);
      server.isAsked = false;
    }
  };

  const read = async () => {
    refusedFor = undefined;
    const map = (await readFrom(servers.keys())) ?? (await readFrom(seeds));
    if (map === undefined || closed) return;
    if (map.size > 0) await adopt(map);
    else report.refused('CLUSTERDOWN');
  };
  const readMap = (): Promise<void> => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };

  /** Returns the address that an ASK reply of the server at `url` names, once that server is connected or the time is up. */
  const connectAsked = async (url: string, { host, port }: Redirection, milliseconds: number) => {
    const asked = urlFrom(url)(host, port);
    const server = serverAt(asked);
    server.isAsked = true;
    await within(milliseconds, server.node.tried);
    return asked;
  };
  /** Reads the map, since MOVED means that it has changed. Returns the address of the tag's primary, if there is one. */
  const findNewOwner = async (tag: string, milliseconds: number) => {
    await within(milliseconds, readMap());
    return owners.get(tag);
  };

  /** Runs the work, and again at each redirection until `deadline` after the first one. Throws the last attempt's error reply. */
  const attempt = async <T>(tag: string, work: (node: Node) => Promise<T>): Promise<T> => {
    let url = owners.get(tag);
    let isAsking = false;
    let end: number | undefined;
    for (let redirections = 0; ; redirections += 1) {
      if (url === undefined || closed) throw refusal();
      const { node } = serverAt(url);
      try {
        // The server that an ASK reply names takes only calls that follow the command ASKING: `asking` replaces the node's calls.
        return await work(isAsking ? { ...node, ...node.asking } : node);
      } catch (error) {
        const redirection = redirectionIn(error);
        end ??= performance.now() + deadline;
        const left = end - performance.now();
        if (redirection === undefined || redirections === MOST_REDIRECTIONS || left <= 0) throw error;
        isAsking = redirection.isAsk;
        url = isAsking ? await connectAsked(url, redirection, left) : await findNewOwner(tag, left);
      }
    }
  };

  /** Replaces an error reply by the error of failed calls. Redirections are reported only here, where they led to no result. */
  const withoutReply = (error: unknown): never => {
    const word = replyWord(error);
    if (word === undefined) throw error;
    if (REDIRECTIONS.has(word)) report.refused(word);
    throw refusal();
  };
  const at: Nodes<Node>['at'] = (tag, work) => attempt(tag, work).catch(withoutReply);

  for (const url of seeds) serverAt(url);
  const tried = readMap();
  const timer = setInterval(() => void readMap(), MAP_READ_INTERVAL_MS).unref();

  return {
    tagOf,
    tags: () => {
      // Tags without a primary share the key `undefined`.
      const tagByPrimary = new Map<string | undefined, string>();
      for (const tag of TAGS) tagByPrimary.set(owners.get(tag), tag);
      return [...tagByPrimary.values()];
    },
    at,
    each: async (tag, items, work) => {
      try {
        return [await attempt(tag, (node) => work(node, items))];
      } catch (error) {
        // Some of the keys of the slot have been moved, others not yet.
        if (replyWord(error) !== 'TRYAGAIN') return withoutReply(error);
        return Promise.all(items.map((item) => at(tag, (node) => work(node, [item]))));
      }
    },
    primaries: () => [...new Set(owners.values())].map((url) => serverAt(url).node),
    any: () => {
      const all = [...servers];
      const [url, server] = all.find(([, { node }]) => node.isConnected()) ?? all[0] ?? [];
      if (url === undefined || server === undefined) throw refusal();
      return { url, node: server.node };
    },
    tried,
    // Once a map was read, the settings are right.
    wrongSetting: () => (owners.size === 0 ? refusedFor : undefined),
    close: async () => {
      closed = true;
      clearInterval(timer);
      await reading;
      await Promise.all([...servers.values()].map(({ node }) => node.close()));
    },
  };
};

/** Divides the items into steps of at most `most`. The items of a step have the same tag. */
export const stepsByTag = <Item>(
  items: readonly Item[],
  tagOfItem: (item: Item) => string,
  most: number,
): readonly (readonly [tag: string, step: readonly Item[]])[] => {
  const byTag = new Map<string, Item[]>();
  for (const item of items) {
    const tag = tagOfItem(item);
    const sameTag = byTag.get(tag);
    if (sameTag === undefined) byTag.set(tag, [item]);
    else sameTag.push(item);
  }
  return [...byTag].flatMap(([tag, sameTag]) => partsOf(sameTag, most).map((step) => [tag, step] as const));
};

export const callsAt = (nodes: Nodes<Connection>, tag: string): Calls => ({
  call: (...call) => nodes.at(tag, (node) => node.call(...call)),
  run: (...call) => nodes.at(tag, (node) => node.run(...call)),
});

/** Whether every primary accepts the command, which `command` makes for a tag of that primary. */
export const doAllPrimariesAccept = (
  nodes: Nodes<Connection>,
  command: (tag: string) => readonly string[],
): Promise<boolean> =>
  Promise.all(nodes.tags().map((tag) => nodes.at(tag, ({ call }) => call(command(tag))))).then(
    () => true,
    () => false,
  );

/** A command for `doAllPrimariesAccept` that writes a key, which expires after a second. */
export const probeFor = (prefix: string) => (tag: string) => ['SET', `${prefix}${tag}up`, '', 'PX', '1000'];
