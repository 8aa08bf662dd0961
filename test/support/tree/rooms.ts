import { dirname } from 'node:path/posix';

/** An import, by the paths of both files. */
export type Arrow = readonly [from: string, to: string];

/** The folder directly in `folder` that a path leads into; undefined for its own files and for what lies elsewhere. */
const topicIn = (folder: string, path: string): string | undefined => {
  const [topic, ...rest] = path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split('/') : [];
  return rest.length === 0 ? undefined : topic;
};

const foldersAbove = (path: string): readonly string[] => {
  const folder = dirname(path);
  return folder === '.' ? [] : [folder, ...foldersAbove(folder)];
};

/** What `start` imports, directly or through others. */
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

/** The arrows that close a circle among the places where `placeOf` puts the files. */
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
 * Imports that close a circle, in words: among files, and among the folders that lie in one folder. Of two topics that
 * import each other, directly or through others, neither can be read first. Files that lie beside the topics belong to
 * all of them.
 */
export const circles = (arrows: readonly Arrow[]): readonly string[] => {
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
