import { dirname } from 'node:path/posix';

/** An import, as the paths of both files. */
export type Arrow = readonly [from: string, to: string];

/** The subfolder of `folder` that a path is in; undefined for files directly in `folder` or outside. */
const topicIn = (folder: string, path: string): string | undefined => {
  const [topic, ...rest] = path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split('/') : [];
  return rest.length === 0 ? undefined : topic;
};

const foldersAbove = (path: string): readonly string[] => {
  const folder = dirname(path);
  return folder === '.' ? [] : [folder, ...foldersAbove(folder)];
};

/** All that `start` imports, directly or indirectly. */
const reachable = (imports: ReadonlyMap<string, ReadonlySet<string>>, start: string): ReadonlySet<string> => {
  const reached = new Set<string>();
  const open = [start];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    for (const next of imports.get(place) ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      open.push(next);
    }
  }
  return reached;
};

/** The imports that are part of a cycle between the groups to which `placeOf` assigns the files. */
const closing = (
  arrows: readonly Arrow[],
  placeOf: (path: string) => string | undefined,
): readonly Arrow[] => {
  const between = arrows.flatMap((arrow) => {
    const from = placeOf(arrow[0]);
    const to = placeOf(arrow[1]);
    return from === undefined || to === undefined || from === to ? [] : [{ arrow, from, to }];
  });
  const imports = new Map<string, Set<string>>();
  for (const { from, to } of between) imports.set(from, (imports.get(from) ?? new Set()).add(to));
  const behind = new Map([...imports.keys()].map((place) => [place, reachable(imports, place)]));
  return between.filter(({ from, to }) => behind.get(to)?.has(from)).map(({ arrow }) => arrow);
};

/**
 * Describes the imports that are part of a cycle: between files, and between the subfolders of a folder. Of two topics that
 * import each other, directly or indirectly, neither can be read first. Files directly in a folder belong to no subfolder.
 */
export const importCycles = (arrows: readonly Arrow[]): readonly string[] => {
  const folders = new Set(arrows.flatMap(([from]) => foldersAbove(from)));
  return [
    ...closing(arrows, (path) => path).map(([from, to]) => `${from} imports ${to}: a circle of files`),
    ...[...folders]
      .sort()
      .flatMap((folder) =>
        closing(arrows, (path) => topicIn(folder, path)).map(
          ([from, to]) => `${from} imports ${to}: a circle of topics in ${folder}`,
        ),
      ),
  ];
};
