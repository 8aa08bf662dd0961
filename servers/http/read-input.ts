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

/** Reads and validates the parts of a request that the route has schemas for. */
export const makeReadInput = ({ params, query, body, bodyLongest, fieldCodes }: Route) => {
  const checkParams = params && makeValidate(params, 'path');
  const checkQuery = query && makeValidate(query, 'query');
  const checkBody = body && makeValidate(body, 'body', fieldCodes);
  // If no member is required, a missing body counts as `{}`.
  const isBodyRequired = (body?.required ?? []).length > 0;
  return async (ctx: Context): Promise<Input> => ({
    params: params && (await checkParams?.(coerce(params, ctx.params ?? {}))),
    query: query && (await checkQuery?.(coerce(query, readQuery(ctx.querystring)))),
    // Where `checkBody` is undefined, the argument is not evaluated: the body is not read.
    body: await checkBody?.(isBodyRequired || hasBody(ctx.req) ? await readJson(ctx.req, bodyLongest) : {}),
  });
};
