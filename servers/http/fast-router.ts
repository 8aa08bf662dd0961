import type { Context, Middleware } from './context.ts';
import { methodNotAllowed, unknownRoute } from './http-error.ts';

type Endpoint = (ctx: Context) => Promise<void>;

/**
 * Answers a request that has no route, from the `methods` of all routes with its path: without any with 404, otherwise with 405, or
 * with 204 for OPTIONS.
 */
export const answerUnrouted = (ctx: Context, methods: readonly string[]): void => {
  if (methods.length === 0) throw unknownRoute();
  const allow = [...new Set([...methods, 'OPTIONS'])].join(', ');
  if (ctx.method !== 'OPTIONS') throw methodNotAllowed(allow);
  ctx.set('Allow', allow);
  ctx.status = 204;
};

const PARAMETER_AT_END = /^([^{]*\/)\{(\w+)\}$/;

/**
 * Finds endpoints of literal paths, and of paths whose only parameter is their last segment. Koa's router would try each pattern
 * in turn, which takes a tenth of the time of a short answer (decision 0080). Koa's router handles the other paths, which `add`
 * ignores.
 */
export const makeFastRouter = () => {
  /** Endpoints by path and method. */
  const literal = new Map<string, Map<string, Endpoint>>();
  /** Endpoints by method and the path before the parameter: `DELETE /api/auth/passkeys/`. */
  const withParameter = new Map<string, { readonly name: string; readonly endpoint: Endpoint }>();

  /** `path` with parameters as `{name}`. */
  const add = (methods: readonly string[], path: string, endpoint: Endpoint): void => {
    const [, prefix, name] = PARAMETER_AT_END.exec(path) ?? [];
    for (const method of methods) {
      if (prefix !== undefined && name !== undefined)
        withParameter.set(`${method} ${prefix}`, { name, endpoint });
      else if (!path.includes('{'))
        literal.set(path, (literal.get(path) ?? new Map<string, Endpoint>()).set(method, endpoint));
    }
  };

  const handle: Middleware = (ctx, next) => {
    const endpoints = literal.get(ctx.path);
    // A literal path that lacks the method is not tried as the value of a parameter.
    if (endpoints !== undefined) {
      const endpoint = endpoints.get(ctx.method);
      return endpoint === undefined ? answerUnrouted(ctx, [...endpoints.keys()]) : endpoint(ctx);
    }
    const key = `${ctx.method} ${ctx.path}`;
    const valueStart = key.lastIndexOf('/') + 1;
    const match = withParameter.get(key.slice(0, valueStart));
    const value = key.slice(valueStart);
    // An empty segment matches no parameter. Percent-encoded values go to Koa's router, which decodes them.
    if (match === undefined || value === '' || value.includes('%')) return next();
    ctx.params = { [match.name]: value };
    return match.endpoint(ctx);
  };

  return { add, handle };
};
