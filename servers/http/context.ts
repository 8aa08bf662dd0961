import type Koa from 'koa';
import type { Budget } from '../../core/index.ts';
import type { Client } from './client-address.ts';

/** Facts about a request beside Koa's own, filled in while it is handled. */
export interface State {
  requestId: string;
  client: Client;
  /** The path as the route states it, such as `/api/v1/meta/{fileId}`. */
  route?: string;
  userId?: string;
  /** The code of the refusal. */
  code?: string;
  /** The rate limit with the fewest requests left, of those that the request counted in. */
  budget?: Budget;
}

export type Context = Koa.ParameterizedContext<State>;
export type Middleware = Koa.Middleware<State>;
