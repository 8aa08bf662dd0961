import { importsOf } from '../support/tree/imports.ts';
import type { Endpoint } from './endpoints.ts';
import { filesIn, folderOf, read } from './sources.ts';

const SHOWN = 3;

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A path as tests write it: whole, before a query, with values as parameters, or its end behind a constant. */
const writtenPath = (path: string): RegExp => {
  const pattern = escaped(path).replaceAll(/\\\{\w+\\\}/g, '(?:\\$\\{[^}]*\\}|[^/\'"`?]+)');
  const end = /\/[a-z-]+$/.exec(path)?.[0] ?? '/none';
  return new RegExp(`(?:['"\`}]${pattern}|\\$\\{[A-Z_]+\\}${end})(?=['"\`?])`, 'g');
};

const METHOD = /\b(get|post|patch|delete)\w*\(\s*[^()]*$|['"](GET|POST|PATCH|DELETE)['"],\s*[^()]*$/i;

/** How often a text calls an endpoint. Where it does not say by which method, each endpoint of the path counts. */
const countCalls = (text: string, { method, path }: Endpoint): number =>
  [...text.matchAll(writtenPath(path))].filter(({ index }) => {
    const [, called, named] = METHOD.exec(text.slice(Math.max(0, index - 60), index)) ?? [];
    return (called ?? named ?? method).toUpperCase() === method;
  }).length;

/** The name of a test without its suffixes: `profile` of `profile.test.ts`. */
const stemOf = (path: string) => path.slice(folderOf(path).length + 1).replace(/\..*$/, '');

/** What a test of an endpoint is called: like its path, its use case, or its table. */
const namesOf = ({ path, route, useCases }: Endpoint): readonly string[] => {
  const [last = ''] = path
    .split('/')
    .filter((part) => part !== '' && !part.includes('{'))
    .slice(-1);
  return [last, ...useCases.map(({ file }) => stemOf(file)), stemOf(route)];
};

/** Names shorter than this begin too many words. */
const LONG_NAME = 5;

/** The test may be called by the first words of a use case, as `register` for `register-passkey`. */
const isNamed = (stem: string, name: string) =>
  stem === name ||
  stem.startsWith(name.length < LONG_NAME ? `${name}-` : name) ||
  name.startsWith(`${stem}-`);

/** Suites about an endpoint that is not there say least about it. */
const isAboutAbsence = (stem: string) => /-(?:absent|off)$|^no-/.test(stem);

interface Suite {
  readonly file: string;
  /** With that of the modules beside it that it imports, such as a constant with a path. */
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

/** How near a suite is to an endpoint: in the room of its use case, among the suites of its service, or elsewhere. */
const distance = (file: string, { route, useCases }: Endpoint): number => {
  const rooms = useCases.map((one) => folderOf(one.file).split('/').at(-1) ?? '');
  if (rooms.some((room) => folderOf(file).endsWith(`/${room}`))) return 0;
  return file.startsWith(`test/${folderOf(route)}/`) ? 1 : 2;
};

/**
 * The tests over HTTP of each endpoint: those that call it and are named like it, the closest first; where none is
 * named so, the nearest one that calls it most.
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
