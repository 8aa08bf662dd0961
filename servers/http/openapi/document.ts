import type { ErrorStyle } from '../errors.ts';
import type { Limits } from '../rate-limit.ts';
import { ACCESS, type AnyRoute, type Route } from '../route.ts';
import { makeComponents } from './components.ts';
import { HEADERS } from './headers.ts';
import { makeOperation, makeOperationIds } from './operation.ts';

export interface DocumentParts {
  readonly title: string;
  readonly version: string;
  readonly style: ErrorStyle;
  readonly limits: Limits;
  readonly routes: readonly AnyRoute[];
  /** The name of the session cookie; absent for a service without such a cookie. */
  readonly cookieName?: string | undefined;
}

const DESCRIPTION: Readonly<Record<ErrorStyle, string>> = {
  account: 'Refusals are `{message, code}`: `code` is for programs, `message` for people.',
  metadata: 'Refusals are `{error, message}`: `error` is for programs, `message` for people.',
};

const RULES_OF_ALL_ROUTES = `Bodies are JSON in UTF-8. Unknown members are ignored. Requests may be compressed with gzip or deflate. \
Each GET can also be called as HEAD, unless it begins something, such as a checkout. \
OPTIONS lists the methods of a path in \`Allow\`; any other method is refused with 405 \`method_not_allowed\` and the same header. \
An unknown path is 404 \`not_found\`. Refusals come in the order 401, 403, 400. \
\`x-rate-limit\` is the rate limit of a route; requests with the internal secret are not limited.`;

const PARAMETERS = {
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description:
      'Appears in logs and in the response if it has 1 to 64 characters of `A-Z a-z 0-9 . _ -`; otherwise the service makes an id',
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

const SESSION_HEADER = {
  name: 'X-Session',
  in: 'header',
  description:
    '`cookie`: the session is kept in a cookie, and the answer has neither token nor refresh token',
  schema: { type: 'string', enum: ['cookie'] },
} as const;

/** The security scheme of sessions in cookies, where they are on. */
const cookieScheme = (name: string) => ({
  cookieSession: {
    type: 'apiKey',
    in: 'cookie',
    name,
    description:
      'Set by a login with the header `X-Session: cookie`; ignored where the request has an access token',
  },
});

const tagsOf = (routes: readonly Route[]) =>
  [...new Set(routes.flatMap(({ tag }) => tag ?? []))].map((name) => ({ name }));

const schemesOf = (routes: readonly Route[], cookieName: string | undefined) => ({
  ...(routes.some(({ access }) => ACCESS[access].token)
    ? SCHEMES
    : { internalSecret: SCHEMES.internalSecret }),
  ...(cookieName !== undefined && cookieScheme(cookieName)),
});

const headersWith = (cookieName: string | undefined) => {
  const { 'Set-Cookie': setCookie, ...others } = HEADERS;
  return cookieName === undefined ? others : { ...others, 'Set-Cookie': setCookie };
};

/** The OpenAPI 3.1 document of a service, from the routes that it serves and the schemas that check its requests. */
export const makeDocument = (parts: DocumentParts) => {
  const { title, version, style, limits, cookieName } = parts;
  // The document does not use `run`, whose type differs from route to route.
  const routes = parts.routes as unknown as readonly Route[];
  const components = makeComponents();
  const idOf = makeOperationIds();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const operation = makeOperation(route, { style, limits, components, idOf, cookieName });
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation };
  }
  return {
    openapi: '3.1.0',
    info: { title, version, description: `${DESCRIPTION[style]} ${RULES_OF_ALL_ROUTES}` },
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
