/** Runs a call of a method, or does something around it; gives what the call gives. */
export type Around = <T>(method: string, given: readonly unknown[], call: () => T) => T;

/** The same part, with every call of its methods run by `around`. */
export const aroundMethods = <T extends object>(part: T, around: Around): T => {
  const made = new Map<PropertyKey, unknown>();
  // A proxy of the part itself could give no other method in place of one that is frozen.
  const shape: T = Object.assign(Object.create(Object.getPrototypeOf(part)), part);
  return new Proxy(shape, {
    get: (_shape, name) => {
      const member: unknown = Reflect.get(part, name);
      if (typeof member !== 'function') return member;
      const known = made.get(name);
      if (known !== undefined) return known;
      const method = (...given: unknown[]): unknown =>
        around(String(name), given, () => Reflect.apply(member, part, given));
      made.set(name, method);
      return method;
    },
  });
};

/** The same part with some of its methods replaced. The others run on the part itself. */
export const withMethods = <T extends object>(part: T, methods: Partial<T>): T =>
  Object.assign(Object.create(aroundMethods(part, (_method, _given, call) => call())), methods);

/** Tells how a call ended, when it has: at once, or with its promise. The outcome itself is not touched. */
export const whenEnded = (
  result: unknown,
  ended: (outcome: { readonly value: unknown } | { readonly error: unknown }) => void,
): void => {
  if (result instanceof Promise) {
    result.then(
      (value: unknown) => ended({ value }),
      (error: unknown) => ended({ error }),
    );
  } else ended({ value: result });
};
