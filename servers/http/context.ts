import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Budget } from '../../core/index.ts';
import type { Client } from './client-address.ts';

/** Facts about a request beside Koa's own, filled in while it is handled. */
export interface State {
  requestId: string;
  client: Client;
  /** The path template of the route, such as `/api/v1/meta/{fileId}`. */
  route?: string;
  userId?: string;
  /** True on a route to which browsers navigate during a sign-in with a provider: a refusal is shown as a page. */
  navigation?: boolean;
  /** The code of the refusal. */
  code?: string;
  /** The rate limit with the fewest requests left, of those that the request counted in. */
  budget?: Budget;
}

/** The part of Koa's context that is used here, declared again so that an app compiles without the types of Koa. */
export interface Context {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly state: State;
  readonly method: string;
  readonly path: string;
  readonly querystring: string;
  /** The values of the path's parameters, set by the step that finds the route. */
  params?: Readonly<Record<string, string>>;
  status: number;
  body: unknown;
  get(header: string): string;
  set(header: string, value: string): void;
  vary(header: string): void;
}

export type Middleware = (ctx: Context, next: () => Promise<void>) => unknown;
