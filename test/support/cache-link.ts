import { cacheUnavailable } from '../../core/files/errors.ts';
import type { FileCache } from '../../core/files/ports.ts';

/** A cache behind a connection that a test can interrupt, and the calls that were made. */
export const makeCacheLink = (cache: FileCache) => {
  const calls: string[] = [];
  const link = { up: true, calls };
  const over =
    <A extends readonly unknown[], R>(name: string, call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      calls.push(name);
      if (!link.up) throw cacheUnavailable();
      return call(...args);
    };
  const port: FileCache = {
    get: over('get', cache.get),
    fill: over('fill', cache.fill),
    load: over('load', cache.load),
    forget: over('forget', cache.forget),
    remove: over('remove', cache.remove),
    renew: over('renew', cache.renew),
    clear: over('clear', cache.clear),
    stats: over('stats', cache.stats),
  };
  return Object.assign(link, { port });
};
