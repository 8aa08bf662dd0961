import { dirname } from 'node:path/posix';

/** Files that one folder may hold; more are hard to take in at a glance. */
const MOST = 25;

/** A folder that holds one suite for each port. */
const ONE_A_PORT = new Set(['test/contracts']);

/** Folders with too many files directly in them, in words. `paths` are those of all files. */
export const crowdedFolders = (paths: readonly string[]): readonly string[] => {
  const counts = new Map<string, number>();
  for (const folder of paths.map((path) => dirname(path))) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  return [...counts]
    .filter(([folder, count]) => count > MOST && !ONE_A_PORT.has(folder))
    .map(([folder, count]) => `${folder} holds ${count} files: ${MOST} at most`);
};

/** An import, by the paths of both files. */
export type Arrow = readonly [from: string, to: string];

/** The file or folder directly in `folder` that a path leads into; undefined for what lies elsewhere. */
const roomIn = (folder: string, path: string): string | undefined =>
  path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split('/')[0] : undefined;

const foldersAbove = (path: string): readonly string[] => {
  const folder = dirname(path);
  return folder === '.' ? [] : [folder, ...foldersAbove(folder)];
};

/** The rooms that `start` imports, directly or through others. */
const reachable = (doors: ReadonlyMap<string, ReadonlySet<string>>, start: string): ReadonlySet<string> => {
  const found = new Set<string>();
  const open = [start];
  for (let room = open.pop(); room !== undefined; room = open.pop()) {
    for (const next of doors.get(room) ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      open.push(next);
    }
  }
  return found;
};

/**
 * Imports that close a circle, in words. The rooms of a folder are its files and its folders. Of two rooms that import
 * each other, directly or through others, neither can be read first.
 */
export const circles = (arrows: readonly Arrow[]): readonly string[] => {
  const folders = new Set(arrows.flatMap(([from]) => foldersAbove(from)));
  return [...folders].sort().flatMap((folder) => {
    const inside = arrows.flatMap(([from, to]) => {
      const a = roomIn(folder, from);
      const b = roomIn(folder, to);
      return a === undefined || b === undefined || a === b ? [] : [{ a, b, from, to }];
    });
    const doors = new Map<string, Set<string>>();
    for (const { a, b } of inside) doors.set(a, (doors.get(a) ?? new Set()).add(b));
    const behind = new Map([...doors.keys()].map((room) => [room, reachable(doors, room)]));
    return inside
      .filter(({ a, b }) => behind.get(b)?.has(a))
      .map((arrow) => `${arrow.from} imports ${arrow.to}: a circle in ${folder}`);
  });
};
