import type { ErrorStyle } from '../errors.ts';
import type { Limits } from '../rate-limit.ts';
import type { AnyRoute, Route } from '../route.ts';
import { makeComponents } from './components.ts';
import { cookieScheme, SESSION_HEADER } from './cookies.ts';
import { HEADERS } from './headers.ts';
import { makeOperation } from './operation.ts';
import { makeOperationIds } from './operation-ids.ts';

export interface DocumentParts {
  readonly title: string;
  readonly version: string;
  readonly style: ErrorStyle;
  readonly limits: Limits;
  readonly routes: readonly AnyRoute[];
  /** The name of the cookie that keeps a session; absent where none does. */
  readonly cookieName?: string | undefined;
}

const DESCRIPTION: Readonly<Record<ErrorStyle, string>> = {
  account: 'Refusals are `{message, code}`: `code` is for programs, `message` for people.',
  metadata: 'Refusals are `{error, message}`: `error` is for programs, `message` for people.',
};

const EVERYWHERE = `Bodies are JSON in UTF-8; unknown members are ignored, and requests in gzip or deflate are read. \
A GET is there as HEAD, too, unless it begins something, such as a checkout. Another method of a path is 405 \`method_not_allowed\`, with \`Allow\`, which OPTIONS \
tells as well; an unknown path is 404 \`not_found\`. Refusals come in the order 401, 403, 400. \
\`x-rate-limit\` is what a route allows; requests with the internal secret are not limited.`;

const PARAMETERS = {
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description:
      'Taken over into logs and the answer if it has 1 to 64 of `A-Z a-z 0-9 . _ -`; else a new one is made',
    schema: { type: 'string', examples: ['3f1c9a52'] },
  },
} as const;

const SCHEMES = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The `token` of verify-email, login or refresh',
  },
  internalSecret: { type: 'apiKey', in: 'header', name: 'x-internal-secret' },
} as const;

const tagsOf = (routes: readonly Route[]) =>
  [...new Set(routes.flatMap(({ tag }) => tag ?? []))].map((name) => ({ name }));

const schemesOf = (routes: readonly Route[], cookieName: string | undefined) => ({
  ...(routes.some(({ access }) => access.startsWith('bearer'))
    ? SCHEMES
    : { internalSecret: SCHEMES.internalSecret }),
  ...(cookieName !== undefined && cookieScheme(cookieName)),
});

const headersWith = (cookieName: string | undefined) => {
  const { 'Set-Cookie': setCookie, ...others } = HEADERS;
  return cookieName === undefined ? others : { ...others, 'Set-Cookie': setCookie };
};

/** The OpenAPI 3.1 document of a service, from the routes that it serves and the schemas that check its requests. */
export const makeDocument = ({
  title,
  version,
  style,
  limits,
  routes: anyRoutes,
  cookieName,
}: DocumentParts) => {
  // The types of `run` are not needed here.
  const routes = anyRoutes as unknown as readonly Route[];
  const components = makeComponents();
  const idOf = makeOperationIds();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const operation = makeOperation(route, { style, limits, components, idOf, cookieName });
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation };
  }
  return {
    openapi: '3.1.0',
    info: { title, version, description: `${DESCRIPTION[style]} ${EVERYWHERE}` },
    servers: [{ url: '/' }],
    tags: tagsOf(routes),
    paths,
    components: {
      schemas: components.schemas(),
      responses: components.responses(),
      headers: headersWith(cookieName),
      parameters: { ...PARAMETERS, ...(cookieName !== undefined && { Session: SESSION_HEADER }) },
      securitySchemes: schemesOf(routes, cookieName),
    },
  };
};
