import { createRequire } from 'node:module';

/** How each part is made. What a factory reads of the parts is made before it. */
export type Factories<Made, Parts> = { readonly [Name in keyof Made]: (parts: Parts) => Made[Name] };

/**
 * Puts parts together. The name of a part is its token in the container, and its type stands in `Values` or `Made`. A
 * value is there already; a factory runs once, when its part is first read.
 */
export const makeContainer = <Values extends object, Made extends object>(
  values: Values,
  factories: Factories<Made, Values & Made>,
): Values & Made => {
  // By `require`: to import a package of CommonJS files, Node.js reads each of them twice, once for the names it exports.
  // The container has more than forty.
  const require = createRequire(import.meta.url);
  require('reflect-metadata/lite');
  const { container, instanceCachingFactory } = require('tsyringe') as typeof import('tsyringe');
  const child = container.createChildContainer();
  const parts: Values & Made = Object.create(null);
  const show = (name: string) =>
    Object.defineProperty(parts, name, { enumerable: true, get: () => child.resolve(name) });
  for (const [name, useValue] of Object.entries(values)) {
    child.register(name, { useValue });
    show(name);
  }
  for (const name in factories) {
    child.register(name, { useFactory: instanceCachingFactory(() => factories[name](parts)) });
    show(name);
  }
  return parts;
};
