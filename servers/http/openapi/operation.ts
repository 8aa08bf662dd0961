import { RATE_LIMIT_SECONDS, rateLimitBuckets } from '../../../core/rate-limits.ts';
import type { JsonSchema } from '../../../core/schema.ts';
import { MOST_JSON_BODY_BYTES } from '../input/json-body.ts';
import type { Limits } from '../rate-limit.ts';
import { ACCESS, type Route } from '../route.ts';
import { anyMembers, type Components } from './components.ts';
import { exampleOf } from './example.ts';
import { makeResponses, type OperationParts } from './responses.ts';

const joinWords = (method: string, words: readonly string[]) =>
  method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');

/**
 * Gives each operation a unique name: `postAuthLogin` for `POST /api/auth/login`, and `getApiHealth` for `GET
 * /api/health`, since `GET /health` has the name `getHealth`. Throws if no name is left.
 */
export const makeOperationIds = () => {
  const usedIds = new Set<string>();
  return ({ method, path }: Pick<Route, 'method' | 'path'>): string => {
    const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
    const short = words.filter((word) => word !== 'api' && word !== 'v1');
    const id = [joinWords(method, short), joinWords(method, words)].find((name) => !usedIds.has(name));
    if (id === undefined) throw new Error(`No name is left for ${method} ${path}.`);
    usedIds.add(id);
    return id;
  };
};

/** The credentials with which a caller may authenticate. */
const securityOf = ({ access }: Route, cookieName: string | undefined) => {
  const { secret, token, cookie } = ACCESS[access];
  return [
    ...(secret ? [{ internalSecret: [] }] : []),
    ...(token ? [{ bearer: [] }] : []),
    ...(cookie && cookieName !== undefined ? [{ cookieSession: [] }] : []),
  ];
};

/** The rate limit of a route: requests per minute, and by what they are counted. */
const rateLimit = ({ bucket, access, countsAccount, countsRefusals }: Route, limits: Limits) => {
  if (bucket === 'none') return undefined;
  const user = ACCESS[access].status === undefined ? [] : ['user'];
  const client = 'byUserAlone' in rateLimitBuckets[bucket] && user.length > 0 ? [] : ['client'];
  const by = [...user, ...client, ...(countsAccount ? ['account'] : [])];
  const counts = countsRefusals && { counts: 'refusals' };
  return { bucket, requests: limits[bucket], seconds: RATE_LIMIT_SECONDS, by, ...counts };
};

const parametersIn = (
  where: 'path' | 'query' | 'header',
  schema: JsonSchema | undefined,
  values: Readonly<Record<string, unknown>>,
  { refer }: Components,
) =>
  Object.entries(schema?.properties ?? {}).map(([name, member]) => ({
    name,
    in: where,
    required: schema?.required?.includes(name) ?? false,
    ...(member.description !== undefined && { description: member.description }),
    schema: refer(member),
    ...(name in values && { example: values[name] }),
  }));

/** The members of an example of the query or the path. `Object` only lets the compiler spread values of unknown type. */
const exampleMembers = (
  value: unknown,
  schema: JsonSchema | undefined,
): Readonly<Record<string, unknown>> => ({
  ...(schema && Object(exampleOf(schema, 'required'))),
  ...Object(value),
});

const requestBody = (
  { body, bodyLongest, example, raw, upload }: Route,
  { refer }: Components,
): object | undefined => {
  if (upload !== undefined) {
    const file = { type: 'string', format: 'binary', maxLength: upload.longest };
    const schema = { type: 'object', properties: { [upload.field]: file }, required: [upload.field] };
    return { required: true, content: { 'multipart/form-data': { schema } } };
  }
  if (raw !== undefined)
    return {
      required: true,
      // A raw body without a type is JSON, whose bytes are read as they are, for their signature.
      content:
        raw.type === undefined
          ? { 'application/json': { schema: {}, example: example?.body } }
          : { [raw.type]: { schema: anyMembers({ type: 'object' }), example: example?.body } },
      'x-max-bytes': raw.longest,
    };
  if (body === undefined) return undefined;
  return {
    required: (body.required ?? []).length > 0,
    content: {
      'application/json': { schema: refer(body), example: example?.body ?? exampleOf(body, 'required') },
    },
    'x-max-bytes': bodyLongest ?? MOST_JSON_BODY_BYTES,
  };
};

/** Describes a route as an operation of the document. */
export const makeOperation = (route: Route, parts: OperationParts) => {
  const { access, example, headers, params, query, session, summary, tag } = route;
  const { components, cookieName, limits, idOf } = parts;
  const limit = rateLimit(route, limits);
  const body = requestBody(route, components);
  return {
    operationId: idOf(route),
    summary,
    description: ACCESS[access].callers,
    ...(tag !== undefined && { tags: [tag] }),
    security: securityOf(route, cookieName),
    parameters: [
      ...parametersIn('path', params, exampleMembers({}, params), components),
      ...parametersIn('query', query, exampleMembers(example?.query, query), components),
      ...parametersIn('header', headers, {}, components),
      ...(cookieName !== undefined && (session === 'begins' || session === 'console')
        ? [{ $ref: '#/components/parameters/Session' }]
        : []),
      { $ref: '#/components/parameters/RequestId' },
    ],
    ...(body !== undefined && { requestBody: body }),
    responses: makeResponses(route, parts),
    ...(limit !== undefined && { 'x-rate-limit': limit }),
  };
};
