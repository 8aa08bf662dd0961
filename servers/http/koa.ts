import { createRequire } from 'node:module';
import type Router from '@koa/router';
import type Koa from 'koa';

// Loaded by `require`: `import` reads each file of a CommonJS package twice, the first time for the names of its
// exports. With these two packages that took a tenth of the start.
const require = createRequire(import.meta.url);

export const makeKoa = <State>(): Koa<State> => new (require('koa') as typeof Koa)<State>();

export const makeRouter = <State>(options: ConstructorParameters<typeof Router>[0]): Router<State> =>
  new (require('@koa/router') as typeof Router)<State>(options);
