import type { Context } from './context.ts';
import { readJson } from './input/json-body.ts';
import { coerce, readQuery } from './input/query-and-path.ts';
import { hasBody } from './input/read-body.ts';
import { makeValidate } from './input/validate.ts';
import type { Route } from './route.ts';

export interface Input {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

const makeReadBody = ({ body: schema, bodyLongest, fieldCodes }: Route) => {
  if (schema === undefined) return undefined;
  const check = makeValidate(schema, 'body', fieldCodes);
  const isDue = (schema.required ?? []).length > 0;
  // If no member is required, a missing body counts as `{}`.
  return async (ctx: Context) => check(isDue || hasBody(ctx.req) ? await readJson(ctx.req, bodyLongest) : {});
};

const makeReadQuery = ({ query: schema }: Route) => {
  if (schema === undefined) return undefined;
  const check = makeValidate(schema, 'query');
  return (ctx: Context) => check(coerce(schema, readQuery(ctx.querystring)));
};

const makeReadParams = ({ params: schema }: Route) => {
  if (schema === undefined) return undefined;
  const check = makeValidate(schema, 'path');
  return (ctx: Context) => check(coerce(schema, ctx.params ?? {}));
};

/** Reads and validates the parts of a request that the route has schemas for. */
export const makeReadInput = (route: Route) => {
  const params = makeReadParams(route);
  const query = makeReadQuery(route);
  const body = makeReadBody(route);
  return async (ctx: Context): Promise<Input> => ({
    params: params && (await params(ctx)),
    query: query && (await query(ctx)),
    body: body && (await body(ctx)),
  });
};
