import { invalid } from './errors.ts';
import { problemOf, type Schema } from './schema.ts';

/** Returns the problem of an argument as a sentence; undefined if the argument is valid. */
export type Rule = (value: unknown, name: string) => string | undefined;

/** Makes a rule from a description and a check. */
export const is =
  (description: string, holds: (value: unknown) => boolean): Rule =>
  (value, name) =>
    holds(value) ? undefined : `'${name}' must be ${description}.`;

// Stores cannot represent a lone surrogate.
const LONE_SURROGATE = /\p{Surrogate}/u;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

export const TEXT = is(
  'a string of whole characters',
  (value) => typeof value === 'string' && !LONE_SURROGATE.test(value),
);
export const FLAG = is('true or false', (value) => typeof value === 'boolean');
export const NUMBER = is('a number', (value) => Number.isFinite(value));
export const WHOLE = is('a whole number', (value) => Number.isSafeInteger(value));
export const SIZE = is(
  'a whole number from 0 on',
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
);
export const COUNT = is(
  'a whole number from 1 on',
  (value) => Number.isSafeInteger(value) && Number(value) >= 1,
);
export const BYTES = is('a Uint8Array', (value) => value instanceof Uint8Array);
export const LIST = is('an array', Array.isArray);
export const OBJECT = is('an object', (value) => isObject(value) && !Array.isArray(value));
export const CALL = is('a function', (value) => typeof value === 'function');
/** Lines of any content: each line is checked when it is read. */
export const LINES = is(
  'an async iterable of lines',
  (value) => isObject(value) && typeof Reflect.get(value, Symbol.asyncIterator) === 'function',
);

/** An array whose items all satisfy the rule. */
export const listOf =
  (rule: Rule): Rule =>
  (value, name) => {
    if (!Array.isArray(value)) return LIST(value, name);
    for (const [place, item] of value.entries()) {
      const problem = rule(item, `${name}[${place}]`);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };

/** One of these words. */
export const oneOf = (...allowed: readonly string[]): Rule =>
  is(`one of ${allowed.join(', ')}`, (value) => allowed.some((word) => word === value));

export const optional =
  (rule: Rule): Rule =>
  (value, name) =>
    value === undefined ? undefined : rule(value, name);

export const orNull =
  (rule: Rule): Rule =>
  (value, name) =>
    value === null ? undefined : rule(value, name);

/** An object with these members; others are ignored. */
export const record = <T>(members: { readonly [Name in keyof T]-?: Rule }): Rule => {
  const rules = Object.entries<Rule>(members);
  return (value, name) => {
    if (!isObject(value)) return OBJECT(value, name);
    for (const [member, rule] of rules) {
      const problem = rule(value[member], member);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
};

/** One of two forms: the first if the value has the member. */
export const either =
  (member: string, first: Rule, second: Rule): Rule =>
  (value, name) =>
    (typeof value === 'object' && value !== null && member in value ? first : second)(value, name);

type Call = (...given: never[]) => unknown;

/** The arguments of a call by name, in order, each with its rule. */
type ArgumentRules = Readonly<Record<string, Rule | Schema>>;

/** The error for the first argument that breaks its rule; undefined if all are valid. */
const refusalOf = (values: readonly unknown[], rules: readonly (readonly [string, Rule | Schema])[]) => {
  for (const [place, [argument, rule]] of rules.entries()) {
    const value = values[place];
    const problem = typeof rule === 'function' ? rule(value, argument) : problemOf(rule, value, argument);
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
