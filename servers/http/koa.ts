import { createRequire } from 'node:module';
import type Router from '@koa/router';
import type Koa from 'koa';

// By `require`: to import a package of CommonJS files, Node.js reads each of them twice, once for the names it exports.
// With these two that was a tenth of the start.
const require = createRequire(import.meta.url);

export const makeKoa = <State>(): Koa<State> => new (require('koa') as typeof Koa)<State>();

export const makeRouter = <State>(options: ConstructorParameters<typeof Router>[0]): Router<State> =>
  new (require('@koa/router') as typeof Router)<State>(options);
