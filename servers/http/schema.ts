/**
 * JSON Schema (draft 2020-12 subset), the part our requests and answers use. The same objects validate requests and
 * make the OpenAPI document, and `Shape` reads the TypeScript type off them, so that none of the three can drift.
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
  | OneOfSchema
  | ObjectSchema;

interface Annotated {
  readonly description?: string;
  /** The first one is shown wherever the value is. */
  readonly examples?: readonly unknown[];
}

interface Range {
  readonly minimum?: number;
  readonly maximum?: number;
}

/** What answers promise of a text; in requests the core judges that. */
export type Format = 'uuid' | 'date-time' | 'date' | 'email' | 'uri' | 'hostname';

/** Whatever it is: for what the core judges by itself. */
export interface AnySchema extends Annotated {
  readonly type?: never;
  readonly oneOf?: never;
  readonly description: string;
}

/** One of several objects, none of which passes for another. */
export interface OneOfSchema extends Annotated {
  readonly type?: never;
  readonly oneOf: readonly ObjectSchema[];
}

export interface StringSchema extends Annotated {
  readonly type: 'string';
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly format?: Format;
}

/** Members that are not named are allowed and ignored; an object without `properties` is taken as it is. */
export interface ObjectSchema extends Annotated {
  readonly type: 'object';
  /** The name under which the reference states it once for all that hold it. */
  readonly title?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

type Required<S> = S extends { readonly required: readonly (infer Name extends string)[] } ? Name : never;

/** The type of what passes the schema. */
export type Shape<S> = S extends { readonly const: infer Value }
  ? Value
  : S extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : S extends { readonly oneOf: readonly (infer One)[] }
      ? Shape<One>
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

/** With all members required: of two types that fit each other, one may leave out a member that is optional. */
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
 * A schema for the core's input type `Input`: does not compile when the two differ in a name, a type, or in what is
 * optional.
 */
export const schemaOf =
  <Input>() =>
  <const S extends ObjectSchema>(schema: S & Same<Shape<S>, Input>): SchemaOf<Input> =>
    schema as unknown as SchemaOf<Input>;

/** A schema that is known to describe `Input`. */
export type SchemaOf<Input> = ObjectSchema & { readonly describes?: (input: Input) => void };

/** What a use case answers. */
export type AnswerOf<UseCase extends (...input: never) => unknown> = Awaited<ReturnType<UseCase>>;

/** The same for what the core answers. */
export const answerOf =
  <Output>() =>
  <const S extends ObjectSchema | OneOfSchema>(schema: S & Same<Shape<S>, Output>): AnswerSchema<Output> =>
    schema as unknown as AnswerSchema<Output>;

/** A schema that is known to describe the answer `Output`. */
export type AnswerSchema<Output> = (ObjectSchema | OneOfSchema) & {
  readonly describes?: (output: Output) => void;
};
