import { slotOf, TAGS } from './hash-tags.ts';

/** The address of the primary of each tag. A tag without a primary is absent. */
export type Owners = ReadonlyMap<string, string>;

export interface ClusterMap {
  /** The server that has this map. */
  readonly url: string;
  /** The last change of an owner that the server knows of. A server that is cut off has a lower number. */
  readonly epoch: number;
  readonly owners: Owners;
}

/** Reads the reply to `CLUSTER SLOTS`. */
export const ownersIn = (reply: unknown, urlOf: (host: string | null, port: number) => string): Owners => {
  const ranges = reply as readonly [from: number, to: number, [host: string | null, port: number]][];
  const owners = new Map<string, string>();
  for (const tag of TAGS) {
    const slot = slotOf(tag);
    const range = ranges.find(([from, to]) => from <= slot && slot <= to);
    // A question mark: the server announces no name.
    if (range !== undefined && range[2][0] !== '?') owners.set(tag, urlOf(range[2][0], range[2][1]));
  }
  return owners;
};

/** The newest owners, without those that say themselves that another primary is the owner now. */
export const mergeMaps = (maps: readonly ClusterMap[]): Owners => {
  const byServer = new Map(maps.map(({ url, owners }) => [url, owners]));
  const newestFirst = [...maps].sort((one, other) => other.epoch - one.epoch);
  const merged = new Map<string, string>();
  for (const tag of TAGS) {
    const claims = newestFirst.flatMap(({ owners }) => owners.get(tag) ?? []);
    const owner = claims.find((url) => (byServer.get(url)?.get(tag) ?? url) === url);
    if (owner !== undefined) merged.set(tag, owner);
  }
  return merged;
};
