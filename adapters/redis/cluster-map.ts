import { slotOf, TAGS } from './hash-tags.ts';

/** The address of the primary of each hash tag. A tag without a primary is absent. */
export type Owners = ReadonlyMap<string, string>;

export interface ClusterMap {
  /** The server that has this map. */
  readonly url: string;
  /** The number of the last change of an owner that the server knows of: lower on a server that is cut off. */
  readonly epoch: number;
  readonly owners: Owners;
}

/** Reads the reply to `CLUSTER SLOTS`. */
export const ownersIn = (reply: unknown, urlOf: (host: string | null, port: number) => string): Owners => {
  const ranges = reply as readonly [from: number, to: number, [host: string | null, port: number]][];
  const owners = new Map<string, string>();
  for (const tag of TAGS) {
    const slot = slotOf(tag);
    const [, , primary] = ranges.find(([from, to]) => from <= slot && slot <= to) ?? [];
    if (primary === undefined) continue;
    const [host, port] = primary;
    // A question mark: the server announces no name.
    if (host !== '?') owners.set(tag, urlOf(host, port));
  }
  return owners;
};

/** The owners by the newest maps. A server whose own map names another server as the owner of a tag does not own the tag. */
export const mergeMaps = (maps: readonly ClusterMap[]): Owners => {
  const byServer = new Map(maps.map(({ url, owners }) => [url, owners]));
  const newestFirst = maps.toSorted((a, b) => b.epoch - a.epoch);
  const merged = new Map<string, string>();
  for (const tag of TAGS) {
    const claims = newestFirst.flatMap(({ owners }) => owners.get(tag) ?? []);
    const owner = claims.find((url) => {
      const ownClaim = byServer.get(url)?.get(tag);
      return ownClaim === undefined || ownClaim === url;
    });
    if (owner !== undefined) merged.set(tag, owner);
  }
  return merged;
};
