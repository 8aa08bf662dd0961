import { CoreError } from '../../core/errors.ts';

/** Runs a method call, with work before or after it, and returns the result of the call. */
export type Around = <T>(method: string, args: readonly unknown[], call: () => T) => T;

/** Wraps an object: every call of its methods runs through `around`. */
export const aroundMethods = <T extends object>(target: T, around: Around): T => {
  const methods = new Map<PropertyKey, unknown>();
  // Not a proxy of `target` itself, which could not replace a frozen method.
  const shape: T = Object.assign(Object.create(Object.getPrototypeOf(target)), target);
  return new Proxy(shape, {
    get: (_shape, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      const cached = methods.get(name);
      if (cached !== undefined) return cached;
      const method = (...args: unknown[]): unknown =>
        around(String(name), args, () => Reflect.apply(member, target, args));
      methods.set(name, method);
      return method;
    },
  });
};

/** Wraps an object with some of its methods replaced. The others come from the prototype, which calls them on `target`. */
export const withMethods = <T extends object>(target: T, methods: Partial<T>): T =>
  Object.assign(Object.create(aroundMethods(target, (_method, _args, call) => call())), methods);

/** Tells the listener how a call ended: at once, or when its promise settles. The result itself is not changed. */
export const whenEnded = (
  result: unknown,
  listener: (outcome: { readonly value: unknown } | { readonly error: unknown }) => void,
): void => {
  if (result instanceof Promise) {
    result.then(
      (value: unknown) => listener({ value }),
      (error: unknown) => listener({ error }),
    );
  } else listener({ value: result });
};

/**
 * The outcome of a call as a label of a small set: `ok`, the kind of a `CoreError` (such as `unavailable`), or `error` for
 * any other error. A mailer does not throw: for it, `ofValue` gives the outcome of the delivery.
 */
export const outcomeOf = (
  ending: { readonly value: unknown } | { readonly error: unknown },
  ofValue: (value: unknown) => string = () => 'ok',
): string => {
  if ('value' in ending) return ofValue(ending.value);
  return ending.error instanceof CoreError ? ending.error.kind : 'error';
};

/** The outcome of a delivery: `sent`, `again` or `refused`; `ok` for any other value. */
export const outcomeOfDelivery = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'outcome' in value && typeof value.outcome === 'string'
    ? value.outcome
    : 'ok';
