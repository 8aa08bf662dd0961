import { importsOf } from '../support/tree/imports.ts';
import type { Endpoint } from './endpoints.ts';
import { filesIn, folderOf, read } from './sources.ts';

const SHOWN = 3;

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A path in the text of a test: complete, before a query, with values as parameters, or its end after a constant. */
const writtenPath = (path: string): RegExp => {
  const pattern = escaped(path).replaceAll(/\\\{\w+\\\}/g, '(?:\\$\\{[^}]*\\}|[^/\'"`?]+)');
  const end = /\/[a-z-]+$/.exec(path)?.[0] ?? '/none';
  return new RegExp(`(?:['"\`}]${pattern}|\\$\\{[A-Z_]+\\}${end})(?=['"\`?])`, 'g');
};

const METHOD = /\b(get|post|patch|delete)\w*\(\s*[^()]*$|['"](GET|POST|PATCH|DELETE)['"],\s*[^()]*$/i;

/** Counts the calls of an endpoint in a text. A call without a method counts for each endpoint of the path. */
const countCalls = (text: string, { method, path }: Endpoint): number =>
  [...text.matchAll(writtenPath(path))].filter(({ index }) => {
    const [, called, named] = METHOD.exec(text.slice(Math.max(0, index - 60), index)) ?? [];
    return (called ?? named ?? method).toUpperCase() === method;
  }).length;

/** The name of a test without its suffixes: `profile` of `profile.test.ts`. */
const stemOf = (path: string) => path.slice(folderOf(path).length + 1).replace(/\..*$/, '');

/** The possible names of a test of an endpoint: from its path, its use cases, or its route table. */
const namesOf = ({ path, route, useCases }: Endpoint): readonly string[] => {
  const [last = ''] = path
    .split('/')
    .filter((part) => part !== '' && !part.includes('{'))
    .slice(-1);
  return [last, ...useCases.map(({ file }) => stemOf(file)), stemOf(route)];
};

/** Shorter names are the beginning of too many words. */
const LONG_NAME = 5;

/** A test may have the first words of a use case as its name, such as `register` for `register-passkey`. */
const isNamed = (stem: string, name: string) =>
  stem === name ||
  stem.startsWith(name.length < LONG_NAME ? `${name}-` : name) ||
  name.startsWith(`${stem}-`);

/** Suites about the absence of an endpoint come last. */
const isAboutAbsence = (stem: string) => /-(?:absent|off)$|^no-/.test(stem);

interface Suite {
  readonly file: string;
  /** Includes the text of imported modules of the tests, which may have constants with paths. */
  readonly text: string;
}

const suites = (): readonly Suite[] =>
  filesIn('test/servers')
    .filter((path) => path.endsWith('.test.ts'))
    .map((file) => {
      const own = { path: file, text: read(file) };
      const beside = importsOf(own).filter((path) => /^test\/(?:servers|support\/drop)/.test(path ?? ''));
      return { file, text: [own.text, ...beside.map((path) => read(String(path)))].join('\n') };
    });

/** The distance of a suite from an endpoint: 0 in the folder of its use case, 1 among the suites of its service, else 2. */
const distance = (file: string, { route, useCases }: Endpoint): number => {
  const rooms = useCases.map((one) => folderOf(one.file).split('/').at(-1) ?? '');
  if (rooms.some((room) => folderOf(file).endsWith(`/${room}`))) return 0;
  return file.startsWith(`test/${folderOf(route)}/`) ? 1 : 2;
};

/**
 * The HTTP tests of each endpoint: those that call it and have one of its names, the closest first; without such tests, the
 * nearest test with the most calls.
 */
export const testsOf = (endpoints: readonly Endpoint[]): ReadonlyMap<Endpoint, readonly string[]> => {
  const all = suites();
  return new Map(
    endpoints.map((endpoint) => {
      const names = namesOf(endpoint);
      const callers = all
        .map(({ file, text }) => ({
          file,
          calls: countCalls(text, endpoint),
          rank: names.findIndex((name) => isNamed(stemOf(file), name)),
          exact: names.includes(stemOf(file)) ? 0 : 1,
          away: distance(file, endpoint),
          absent: Number(isAboutAbsence(stemOf(file))),
        }))
        .filter(({ calls }) => calls > 0)
        .toSorted((a, b) => a.absent - b.absent || a.away - b.away || b.calls - a.calls);
      const named = callers
        .filter(({ rank }) => rank >= 0)
        .toSorted((a, b) => a.exact - b.exact || a.rank - b.rank);
      const chosen = named.length > 0 ? named.slice(0, SHOWN) : callers.slice(0, 1);
      return [endpoint, chosen.map(({ file }) => file)];
    }),
  );
};
