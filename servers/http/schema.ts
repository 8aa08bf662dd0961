import type { Schema as Declared, Typed, TypeOf } from '../../core/schema.ts';

/**
 * The subset of JSON Schema (draft 2020-12) that requests and answers use. The same objects validate requests, make the
 * OpenAPI document, and give the TypeScript types by `Shape`, so the three cannot differ.
 */
export type Schema =
  | StringSchema
  | (Annotated & { readonly type: 'boolean'; readonly const?: boolean })
  | (Annotated & Range & { readonly type: 'integer' | 'number' })
  | (Annotated & {
      readonly type: readonly ['string', 'null'];
      readonly maxLength?: number;
      readonly enum?: readonly (string | null)[];
      readonly format?: Format;
    })
  | (Annotated & Range & { readonly type: readonly ['integer' | 'number', 'null'] })
  | (Annotated & {
      readonly type: 'array';
      readonly items: Schema;
      readonly minItems?: number;
      readonly maxItems?: number;
    })
  | AnySchema
  | NullSchema
  | NullableSchema
  | OneOfSchema
  | ObjectSchema
  | Declared;

interface Annotated {
  readonly description?: string;
  /** The reference shows the first one. */
  readonly examples?: readonly unknown[];
}

interface Range {
  readonly minimum?: number;
  readonly maximum?: number;
}

/** The format of a text in an answer. In requests the core checks it. */
export type Format = 'uuid' | 'date-time' | 'date' | 'email' | 'uri' | 'hostname';

/** Any value, for members that the core validates. */
export interface AnySchema extends Annotated {
  readonly type?: never;
  readonly oneOf?: never;
  readonly description: string;
}

interface NullSchema extends Annotated {
  readonly type: 'null';
}

/** One of several objects. No object fits two of them. */
export interface OneOfSchema extends Annotated {
  readonly type?: never;
  readonly oneOf: readonly (ObjectSchema | Declared)[];
}

/** An object or null. */
interface NullableSchema extends Annotated {
  readonly type?: never;
  readonly oneOf: readonly [ObjectSchema | Declared, NullSchema];
}

/** The object, or null. */
export const nullable = <const S extends ObjectSchema | Declared>(object: S) =>
  ({ oneOf: [object, { type: 'null' }] }) as const;

export interface StringSchema extends Annotated {
  readonly type: 'string';
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly format?: Format;
}

/** Unknown members are ignored. An object without `properties` may have any. */
export interface ObjectSchema extends Annotated {
  readonly type: 'object';
  /** The name of the schema in the reference, which shows it once and links to it. */
  readonly title?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

type Required<S> = S extends { readonly required: readonly (infer Name extends string)[] } ? Name : never;

/** The type of values that pass the schema. */
export type Shape<S> = S extends Typed<unknown> ? TypeOf<S> : Literal<S>;
type Literal<S> = S extends { readonly const: infer Value }
  ? Value
  : S extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : S extends { readonly oneOf: readonly (infer One)[] }
      ? Shape<One>
      : S extends { readonly type: 'null' }
        ? null
        : S extends { readonly type: 'string' }
          ? string
          : S extends { readonly type: 'boolean' }
            ? boolean
            : S extends { readonly type: 'integer' | 'number' }
              ? number
              : S extends { readonly type: readonly ['string', 'null'] }
                ? string | null
                : S extends { readonly type: readonly ['integer' | 'number', 'null'] }
                  ? number | null
                  : S extends { readonly type: 'array'; readonly items: infer Items }
                    ? readonly Shape<Items>[]
                    : S extends { readonly type: 'object'; readonly properties: infer Members }
                      ? { readonly [Name in keyof Members & Required<S>]: Shape<Members[Name]> } & {
                          readonly [Name in Exclude<keyof Members, Required<S>>]?: Shape<Members[Name]>;
                        }
                      : S extends { readonly type: 'object' }
                        ? Readonly<Record<string, unknown>>
                        : unknown;

/** With all members required, since of two compatible types one may lack an optional member. */
type Complete<T> = T extends readonly (infer Item)[]
  ? readonly Complete<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]-?: Complete<T[Name]> }
    : T;

type Fits<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;
type Same<One, Other> = [Fits<One, Other>, Fits<Complete<One>, Complete<Other>>] extends [true, true]
  ? unknown
  : never;

/**
 * Declares a schema for the core's input type `Input`. It does not compile if a name, a type or an optional member
 * differs.
 */
export const schemaOf =
  <Input>() =>
  <const S extends ObjectSchema>(schema: S & Same<Shape<S>, Input>): Declared<Input> =>
    schema as unknown as Declared<Input>;

/** What a use case answers. */
export type AnswerOf<UseCase extends (...input: never) => unknown> = Awaited<ReturnType<UseCase>>;

/** Declares a schema for an answer of the core. */
export const answerOf =
  <Output>() =>
  <const S extends ObjectSchema | OneOfSchema>(schema: S & Same<Shape<S>, Output>): Declared<Output> =>
    schema as unknown as Declared<Output>;
