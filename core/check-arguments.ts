import { invalid } from './errors.ts';
import { OBJECT, object, problemOf, type Schema } from './schema.ts';

type Call = (...args: never[]) => unknown;

/** The arguments of a call by name, in order, each with its schema. */
type ArgumentRules = Readonly<Record<string, Schema>>;

/** The error for the first argument that breaks its rule; undefined if all are valid. */
const refusalOf = (values: readonly unknown[], rules: readonly (readonly [string, Schema])[]) => {
  for (const [index, [name, schema]] of rules.entries()) {
    const problem = problemOf(schema, values[index], name);
    if (problem !== undefined) return invalid('invalid_request', problem);
  }
  return undefined;
};

/** Throws `invalid` (`invalid_request`) for an argument that breaks its rule. */
export const requireArguments = (values: readonly unknown[], rules: ArgumentRules): void => {
  const refusal = refusalOf(values, Object.entries(rules));
  if (refusal !== undefined) throw refusal;
};

/** Every module needs a clock. An object without one, such as a promise of ports, would otherwise fail at the first call only. */
const PORTS = object({ clock: OBJECT });

/** Throws `invalid` (`invalid_request`) for arguments of a module's factory that are no ports or no policy. */
export const requirePorts = (ports: object, policy: object): void =>
  requireArguments([ports, policy], { ports: PORTS, policy: OBJECT });

/** A call that checks its arguments first, and throws or rejects for a wrong one. */
const checkedCall = (call: Call, argumentRules: ArgumentRules, isThrowing: boolean) => {
  const rules = Object.entries(argumentRules);
  return (...values: readonly unknown[]) => {
    const refusal = refusalOf(values, rules);
    if (refusal === undefined) return Reflect.apply(call, undefined, values);
    if (isThrowing) throw refusal;
    return Promise.reject(refusal);
  };
};

/**
 * The policy of a module, with the defaults of absent numbers. Throws `invalid` (`invalid_request`) for a name that the defaults
 * lack: a misspelt name would otherwise be ignored, and the default would apply.
 */
export const completePolicy = <Policy extends object>(defaults: Policy, policy: Partial<Policy>): Policy => {
  const unknown = Object.keys(policy).find((name) => !Object.hasOwn(defaults, name));
  if (unknown !== undefined) throw invalid('invalid_request', `The policy has no '${unknown}'.`);
  return { ...defaults, ...policy };
};

type TakingCalls<T> = {
  [Name in keyof T]: T[Name] extends Call ? (Parameters<T[Name]> extends [] ? never : Name) : never;
}[keyof T];

/** The rules for the arguments of every call that has arguments. */
export type RulesOf<T> = Readonly<Record<TakingCalls<T>, ArgumentRules>>;

/**
 * Wraps calls so that each first checks its arguments. Over HTTP the routes check them, but an embedding program may be plain
 * JavaScript. A wrong argument is `invalid` (`invalid_request`), thrown by the calls in `throwing` and rejected by all others.
 */
export const checkArguments = <T extends object>(
  calls: T,
  rules: RulesOf<T>,
  throwing: readonly TakingCalls<T>[] = [],
): T => {
  const checked = { ...calls };
  for (const [name, argumentRules] of Object.entries<ArgumentRules>(rules)) {
    const call: unknown = Reflect.get(calls, name);
    // For the type: every rule is that of a call.
    if (typeof call !== 'function') continue;
    const isThrowing = throwing.some((throwingName) => throwingName === name);
    Reflect.set(checked, name, checkedCall(call as Call, argumentRules, isThrowing));
  }
  return checked;
};

/** A call: what makes it, and its arguments. A call that returns no promise throws for a wrong argument. */
type CallRow<Deps, Made> = Made extends (...args: infer Args) => infer Result
  ? Args extends []
    ? readonly [make: (deps: Deps) => Made]
    : Result extends Promise<unknown>
      ? readonly [make: (deps: Deps) => Made, rules: ArgumentRules]
      : readonly [make: (deps: Deps) => Made, rules: ArgumentRules, refusal: 'throws']
  : never;

/** The calls of an interface, each in a row. */
export type CallRows<Deps, T> = { readonly [Name in keyof T]: CallRow<Deps, T[Name]> };

/** Makes the calls of an interface, which check their arguments as those of `checkArguments` do. */
export const makeCalls = <Deps, T>(deps: Deps, rows: CallRows<Deps, T>): T => {
  type Row = readonly [make: (deps: Deps) => Call, rules?: ArgumentRules, refusal?: 'throws'];
  const calls = Object.entries<Row>(rows as Readonly<Record<string, Row>>).map(
    ([name, [make, rules = {}, refusal]]) => [name, checkedCall(make(deps), rules, refusal === 'throws')],
  );
  return Object.fromEntries(calls) as T;
};
