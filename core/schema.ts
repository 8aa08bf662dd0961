/**
 * A declaration of an input or an answer: a JSON Schema (draft 2020-12) object that also carries its TypeScript type
 * (`TypeOf`) and the check of embedded calls. Routes validate requests by the JSON Schema, and OpenAPI shows it;
 * `checkArguments` checks the calls of an embedding program, which may be plain JavaScript.
 *
 * The two checks differ on purpose: the keywords of JSON Schema bound what is read from a network, while the check of an
 * embedded call refuses wrong types alone and leaves the bounds to the use case, which has a sentence and a code for them.
 */
export type Schema<T = unknown> = JsonSchema & Typed<T>;

export interface Typed<T> {
  readonly [CHECK]: Check;
  /** Never present: carries the type. */
  readonly [TYPE]?: T;
}

/** The type of the values that a schema describes. */
export type TypeOf<S> = S extends Typed<infer T> ? T : never;

/** Returns the problem of a value as a sentence; undefined if the value is valid. */
export type Check = (value: unknown, name: string) => string | undefined;

// Symbols, since a spread copies them while JSON and ajv do not see them.
declare const TYPE: unique symbol;
const CHECK: unique symbol = Symbol('check');
const OPTIONAL: unique symbol = Symbol('optional');

/** The subset of JSON Schema that requests and answers use. */
export interface JsonSchema extends Keywords {
  readonly type?: JsonType | readonly [JsonType, 'null'];
  /** An object without `properties` may have any members. Unknown members are ignored. */
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  /** No value fits two of them. */
  readonly oneOf?: readonly JsonSchema[];
  readonly enum?: readonly (string | null)[];
  readonly const?: string | boolean;
}

type JsonType = 'string' | 'boolean' | 'integer' | 'number' | 'array' | 'object' | 'null';

interface Annotations {
  /** The name of an object in the reference, which shows it once and links to it. */
  readonly title?: string;
  readonly description?: string;
  /** The reference shows the first one. */
  readonly examples?: readonly unknown[];
}

interface Keywords extends Annotations {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  /** The format of a text in an answer. In requests the core checks it. */
  readonly format?: 'uuid' | 'date-time' | 'date' | 'email' | 'uri' | 'hostname';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** Makes a check from a description and a condition. */
const is =
  (description: string, holds: (value: unknown) => boolean): Check =>
  (value, name) =>
    holds(value) ? undefined : `'${name}' must be ${description}.`;

const schema = <T>(json: JsonSchema, check: Check): Schema<T> => ({ ...json, [CHECK]: check });

export const problemOf = (described: Schema, value: unknown, name: string): string | undefined =>
  described[CHECK](value, name);

/** Replaces the check of embedded calls. */
export const checkedBy = <T>(described: Schema<T>, check: Check): Schema<T> => ({
  ...described,
  [CHECK]: check,
});

/** The schema with another description. */
export const describedAs = <T>(described: Schema<T>, description: string): Schema<T> => ({
  ...described,
  description,
});

// Stores cannot represent a lone surrogate. The typed client runs in browsers without `isWellFormed`, too.
const LONE_SURROGATE = /\p{Surrogate}/u;

const isText = is(
  'a string of whole characters',
  (value) => typeof value === 'string' && !LONE_SURROGATE.test(value),
);
const isFlag = is('true or false', (value) => typeof value === 'boolean');
const isNumber = is('a number', (value) => Number.isFinite(value));
const isWhole = is('a whole number', (value) => Number.isSafeInteger(value));
const isSize = is('a whole number from 0 on', (value) => Number.isSafeInteger(value) && Number(value) >= 0);
const isCount = is('a whole number from 1 on', (value) => Number.isSafeInteger(value) && Number(value) >= 1);
const isList = is('an array', Array.isArray);

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isObject = is('an object', isRecord);

export const text = (keywords: Keywords = {}): Schema<string> =>
  schema({ type: 'string', ...keywords }, isText);

export const flag = (keywords: Keywords = {}): Schema<boolean> =>
  schema({ type: 'boolean', ...keywords }, isFlag);

export const number = (keywords: Keywords = {}): Schema<number> =>
  schema({ type: 'number', ...keywords }, isNumber);

/** An integer that embedded calls may pass as any number: the use case refuses others. */
export const integer = (keywords: Keywords = {}): Schema<number> =>
  schema({ type: 'integer', ...keywords }, isNumber);

/** A safe integer from 0 on. */
export const size = (keywords: Keywords = {}): Schema<number> =>
  schema({ type: 'integer', minimum: 0, ...keywords }, isSize);

/** A safe integer from 1 on. */
export const count = (keywords: Keywords = {}): Schema<number> =>
  schema({ type: 'integer', minimum: 1, ...keywords }, isCount);

export const TEXT = text();
export const FLAG = flag();
export const NUMBER = number();
export const WHOLE: Schema<number> = schema({ type: 'integer' }, isWhole);
export const SIZE = size();
export const COUNT = count();

export const constant = <const Value extends string | boolean>(
  value: Value,
  keywords: Keywords = {},
): Schema<Value> =>
  schema(
    { type: typeof value === 'string' ? 'string' : 'boolean', const: value, ...keywords },
    is(String(value), (other) => other === value),
  );

export const oneOf = <const Word extends string>(
  words: readonly Word[],
  keywords: Keywords = {},
): Schema<Word> =>
  schema(
    { type: 'string', enum: words, ...keywords },
    is(`one of ${words.join(', ')}`, (value) => words.some((word) => word === value)),
  );

// The OpenAPI documents show the members in this order: the examples of a list after its items.
export const list = <T>(items: Schema<T>, { examples, ...keywords }: Keywords = {}): Schema<readonly T[]> =>
  schema({ type: 'array', ...keywords, items, ...(examples && { examples }) }, (value, name) => {
    if (!Array.isArray(value)) return isList(value, name);
    for (const [index, item] of value.entries()) {
      const problem = problemOf(items, item, `${name}[${index}]`);
      if (problem !== undefined) return problem;
    }
    return undefined;
  });

/** Any value: the use case checks it. */
export const anything = (keywords: Keywords = {}): Schema => schema(keywords, () => undefined);

export const anyObject = (keywords: Keywords = {}): Schema<Readonly<Record<string, unknown>>> =>
  schema({ type: 'object', ...keywords }, isObject);

export const LIST = list(anything());
export const OBJECT = anyObject();

type Members = Readonly<Record<string, Schema<unknown>>>;
type OptionalName<M> = {
  [Name in keyof M]: M[Name] extends OptionalMember ? Name : never;
}[keyof M];
/** The type of an object with these members. */
export type ObjectOf<M> = Plain<
  { readonly [Name in Exclude<keyof M, OptionalName<M>>]: TypeOf<M[Name]> } & {
    readonly [Name in OptionalName<M>]?: TypeOf<M[Name]>;
  }
>;
/** Shows an intersection as one object type. */
type Plain<T> = { [Name in keyof T]: T[Name] };

/** An object with these members; others are ignored. */
export const object = <const M extends Members>(
  members: M,
  annotations: Annotations = {},
): Schema<ObjectOf<M>> => {
  const entries = Object.entries<Schema>(members);
  const required = entries.filter(([, member]) => !(OPTIONAL in member)).map(([name]) => name);
  return schema(
    {
      type: 'object',
      ...annotations,
      properties: members,
      ...(required.length > 0 && { required }),
    },
    (value, name) => {
      if (!isRecord(value)) return isObject(value, name);
      for (const [member, described] of entries) {
        const problem = problemOf(described, value[member], member);
        if (problem !== undefined) return problem;
      }
      return undefined;
    },
  );
};

export interface OptionalMember {
  readonly [OPTIONAL]: true;
}

/** A member or an argument that may be absent. */
export const optional = <T>(described: Schema<T>): Schema<T> & OptionalMember => ({
  ...described,
  [OPTIONAL]: true,
  [CHECK]: (value, name) => (value === undefined ? undefined : problemOf(described, value, name)),
});

const NULL: JsonSchema = { type: 'null' };

const jsonOrNull = ({ type, ...json }: JsonSchema): JsonSchema => {
  // The forms may already include `NULL`: it is named once.
  if (json.oneOf) return { ...json, oneOf: [...json.oneOf.filter((form) => form !== NULL), NULL] };
  // The schema of an object stays whole, since the reference links to it. A constant refuses null, whatever types are beside it.
  if (type === 'object' || json.const !== undefined)
    return { oneOf: [{ ...(type && { type }), ...json }, NULL] };
  // A list of types has null already, and a schema without a type is left as it is.
  if (typeof type !== 'string') return { ...json, ...(type && { type }) };
  return { type: [type, 'null'], ...json, ...(json.enum && { enum: [...json.enum, null] }) };
};

export const nullable = <T>(described: Schema<T>): Schema<T | null> =>
  schema(jsonOrNull(described), (value, name) =>
    value === null ? undefined : problemOf(described, value, name),
  );

/** One of several objects, for answers: the check of embedded calls accepts any object. */
export const union = <const S extends readonly Schema[]>(schemas: S): Schema<TypeOf<S[number]>> =>
  schema({ oneOf: schemas }, isObject);

// For arguments of embedded calls alone, which no request has.

/** One of two objects: the first if the value has the member. */
export const either = <One, Other>(
  member: string,
  one: Schema<One>,
  other: Schema<Other>,
): Schema<One | Other> =>
  schema({ oneOf: [one, other] }, (value, name) =>
    problemOf(isRecord(value) && member in value ? one : other, value, name),
  );

/** A value for which the condition holds. */
export const custom = <T = unknown>(description: string, holds: (value: unknown) => boolean): Schema<T> =>
  schema({}, is(description, holds));

export const BYTES: Schema<Uint8Array> = custom('a Uint8Array', (value) => value instanceof Uint8Array);
/** A function of any type: a value of type `never` fits every parameter type. */
export const CALL = custom<never>('a function', (value) => typeof value === 'function');
/** An object with these methods. The error names the object and all of them. */
export const withCalls = <T = unknown>(...names: readonly string[]): Schema<T> =>
  custom(
    `an object with ${names.map((name) => `${name}()`).join(', ')}`,
    (value) => isRecord(value) && names.every((name) => typeof value[name] === 'function'),
  );
/** Lines of any content: each line is checked when it is read. */
export const LINES = custom<AsyncIterable<unknown>>(
  'an async iterable of lines',
  (value) => isRecord(value) && typeof Reflect.get(value, Symbol.asyncIterator) === 'function',
);
