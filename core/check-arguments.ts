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

/** Throws `invalid` (`invalid_request`) unless the arguments of a module's factory are ports and a policy. */
export const requirePorts = (ports: object, policy: object): void =>
  requireArguments([ports, policy], { ports: PORTS, policy: OBJECT });

/** What a call does with a wrong argument. */
type OnRefusal = 'throws' | 'rejects';

/** A call that checks its arguments first. */
const checkedCall = (call: Call, argumentRules: ArgumentRules, onRefusal: OnRefusal) => {
  const rules = Object.entries(argumentRules);
  return (...values: readonly unknown[]) => {
    const refusal = refusalOf(values, rules);
    if (refusal === undefined) return Reflect.apply(call, undefined, values);
    if (onRefusal === 'throws') throw refusal;
    return Promise.reject(refusal);
  };
};

/**
 * Completes the policy of a module by the defaults. Throws `invalid` (`invalid_request`) for a name that the defaults lack: a
 * misspelt name would otherwise be ignored, and the default would apply.
 */
export const completePolicy = <Policy extends object>(defaults: Policy, policy: Partial<Policy>): Policy => {
  const unknownName = Object.keys(policy).find((name) => !Object.hasOwn(defaults, name));
  if (unknownName !== undefined) throw invalid('invalid_request', `The policy has no '${unknownName}'.`);
  return { ...defaults, ...policy };
};

/** The names of the calls that have arguments. */
type CallsWithArguments<T> = {
  [Name in keyof T]: T[Name] extends Call ? (Parameters<T[Name]> extends [] ? never : Name) : never;
}[keyof T];

/** The rules for the arguments of every call that has arguments. */
export type RulesOf<T> = Readonly<Record<CallsWithArguments<T>, ArgumentRules>>;

/**
 * Wraps calls so that each first checks its arguments. Over HTTP the routes check them, but an embedding program may be plain
 * JavaScript. A wrong argument is `invalid` (`invalid_request`), thrown by the calls in `throwing` and rejected by all others.
 */
export const checkArguments = <T extends object>(
  calls: T,
  rules: RulesOf<T>,
  throwing: readonly CallsWithArguments<T>[] = [],
): T => {
  const checked = { ...calls };
  for (const [name, argumentRules] of Object.entries<ArgumentRules>(rules)) {
    const call: unknown = Reflect.get(calls, name);
    // Never true, since every rule is that of a call; it satisfies the compiler.
    if (typeof call !== 'function') continue;
    const onRefusal = throwing.some((throwingName) => throwingName === name) ? 'throws' : 'rejects';
    Reflect.set(checked, name, checkedCall(call as Call, argumentRules, onRefusal));
  }
  return checked;
};

/** The function that makes a call, and the rules for its arguments. A call that returns no promise throws for a wrong argument. */
type CallRow<Deps, Made> = Made extends (...args: infer Args) => infer Result
  ? Args extends []
    ? readonly [make: (deps: Deps) => Made]
    : Result extends Promise<unknown>
      ? readonly [make: (deps: Deps) => Made, rules: ArgumentRules]
      : readonly [make: (deps: Deps) => Made, rules: ArgumentRules, onRefusal: 'throws']
  : never;

/** The calls of an interface, each as a row. */
export type CallRows<Deps, T> = { readonly [Name in keyof T]: CallRow<Deps, T[Name]> };

/** Makes the calls of an interface, which check their arguments as those of `checkArguments` do. */
export const makeCalls = <Deps, T>(deps: Deps, rows: CallRows<Deps, T>): T => {
  type Row = readonly [make: (deps: Deps) => Call, rules?: ArgumentRules, onRefusal?: OnRefusal];
  const calls = Object.entries<Row>(rows as Readonly<Record<string, Row>>).map(
    ([name, [make, rules = {}, onRefusal = 'rejects']]) => [name, checkedCall(make(deps), rules, onRefusal)],
  );
  return Object.fromEntries(calls) as T;
};
