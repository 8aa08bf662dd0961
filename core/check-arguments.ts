import { invalid } from './errors.ts';
import { problemOf, type Schema } from './schema.ts';

type Call = (...given: never[]) => unknown;

/** The arguments of a call by name, in order, each with its schema. */
type ArgumentRules = Readonly<Record<string, Schema>>;

/** The error for the first argument that breaks its rule; undefined if all are valid. */
const refusalOf = (values: readonly unknown[], rules: readonly (readonly [string, Schema])[]) => {
  for (const [place, [argument, described]] of rules.entries()) {
    const problem = problemOf(described, values[place], argument);
    if (problem !== undefined) return invalid('invalid_request', problem);
  }
  return undefined;
};

/** Throws `invalid` (`invalid_request`) for an argument that breaks its rule. */
export const requireArguments = (values: readonly unknown[], rules: ArgumentRules): void => {
  const refusal = refusalOf(values, Object.entries(rules));
  if (refusal !== undefined) throw refusal;
};

type TakingCalls<T> = {
  [Name in keyof T]: T[Name] extends Call ? (Parameters<T[Name]> extends [] ? never : Name) : never;
}[keyof T];

/** The rules for the arguments of every call that has arguments. */
export type RulesOf<T> = Readonly<Record<TakingCalls<T>, ArgumentRules>>;

/**
 * Wraps calls so that each first checks its arguments: over HTTP schemas do that, but an embedding program may have no
 * types. A wrong argument is `invalid` (`invalid_request`), thrown by the calls in `throwing` and rejected by all others.
 */
export const checkArguments = <T extends object>(
  calls: T,
  rules: RulesOf<T>,
  throwing: readonly TakingCalls<T>[] = [],
): T => {
  const checked = { ...calls };
  for (const [name, argumentRules] of Object.entries<ArgumentRules>(rules)) {
    const run: unknown = Reflect.get(calls, name);
    if (typeof run !== 'function') continue;
    const list = Object.entries(argumentRules);
    const isThrowing = throwing.some((throwingName) => throwingName === name);
    Reflect.set(checked, name, (...values: readonly unknown[]) => {
      const refusal = refusalOf(values, list);
      if (refusal === undefined) return Reflect.apply(run, undefined, values);
      if (isThrowing) throw refusal;
      return Promise.reject(refusal);
    });
  }
  return checked;
};
