import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Budget } from '../../core/index.ts';
import type { Client } from './client-address.ts';

/** Facts about a request that Koa does not collect, filled in while the request is handled. */
export interface State {
  requestId: string;
  client: Client;
  /** The path template of the route, such as `/api/v1/meta/{fileId}`. */
  route?: string;
  userId?: string;
  /** True on routes to which browsers navigate during a sign-in with a provider. Their refusals are pages. */
  navigation?: boolean;
  /** The code of the refusal. */
  code?: string;
  /** Of the rate limits that counted the request, the one with the fewest requests left. */
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
  /** The values of the path's parameters. The router sets them. */
  params?: Readonly<Record<string, string>>;
  status: number;
  body: unknown;
  get(header: string): string;
  set(header: string, value: string): void;
  vary(header: string): void;
}

export type Middleware = (ctx: Context, next: () => Promise<void>) => unknown;
