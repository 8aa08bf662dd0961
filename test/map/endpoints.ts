import { healthRoutes } from '../../servers/http/health.ts';
import { withReference } from '../../servers/http/openapi/with-reference.ts';
import type { AnyRoute } from '../../servers/http/route.ts';
import { filesIn, load } from './sources.ts';
import { useCaseFile } from './use-cases.ts';

export interface Endpoint {
  readonly method: string;
  readonly path: string;
  /** The file that has its route. */
  readonly route: string;
  /** The calls of the route, such as `accounts.logIn`, with the files that implement them. */
  readonly useCases: readonly { readonly call: string; readonly file: string }[];
}

/** Stands for a part of the core: the route tables are made with it and only read. */
const uncalled: unknown = new Proxy({}, { get: () => () => undefined });

const isRoute = (value: unknown): value is AnyRoute =>
  typeof value === 'object' && value !== null && 'path' in value && 'run' in value;

const routesOf = (makeTable: unknown): readonly AnyRoute[] => {
  if (typeof makeTable !== 'function') return [];
  const table: unknown = makeTable(uncalled, uncalled);
  return Array.isArray(table) ? table.filter(isRoute) : [];
};

/** The route tables of a service, by file. `app.ts` and `routes.ts` only combine the others. */
const tablesOf = async (folder: string) => {
  const tables = filesIn(folder).filter((path) => !/\/(?:app|routes)\.ts$/.test(path));
  const modules = await Promise.all(tables.map(async (path) => ({ path, members: await load(path) })));
  return modules.flatMap(({ path, members }) =>
    Object.entries(members)
      .filter(([name]) => /(?:Routes|Pages)$/.test(name))
      .map(([, makeTable]) => ({ path, routes: routesOf(makeTable) })),
  );
};

/** The routes of both services outside their tables. */
const common = () => [
  {
    path: 'servers/http/health.ts',
    routes: healthRoutes({ service: '', version: '', checks: [], closing: new AbortController().signal }),
  },
  {
    path: 'servers/http/openapi/with-reference.ts',
    routes: withReference([], { title: '', version: '', style: 'account', limits: {}, bucket: 'default' }),
  },
];

const callsOf = ({ run }: AnyRoute): readonly string[] => {
  const calls = [...String(run).matchAll(/\b(accounts|passkeys|providers|files|billing|sandbox)\.(\w+)\(/g)];
  return [...new Set(calls.map(([, part, member]) => `${part}.${member}`))];
};

const endpointOf = (file: string, route: AnyRoute): Endpoint => ({
  method: route.method,
  path: route.path,
  route: file,
  useCases: callsOf(route).flatMap((call) => {
    const found = useCaseFile(call);
    return found === undefined ? [] : [{ call, file: found }];
  }),
});

/** Every endpoint of both services, in the order of the files that have their routes. */
export const listEndpoints = async (): Promise<readonly Endpoint[]> => {
  const tables = [
    ...(await tablesOf('servers/accounts')),
    ...(await tablesOf('servers/metadata')),
    ...common(),
  ];
  return tables.flatMap(({ path, routes }) => routes.map((route) => endpointOf(path, route)));
};
