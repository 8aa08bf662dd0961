/**
 * JSON Schema (draft 2020-12 subset), the part our requests use. The same objects validate requests and make the
 * OpenAPI document, and `Shape` reads the TypeScript type off them, so that none of the three can drift.
 */
export type Schema =
  | StringSchema
  | { readonly type: 'boolean'; readonly description?: string }
  | {
      readonly type: 'integer' | 'number';
      readonly minimum?: number;
      readonly maximum?: number;
      readonly description?: string;
    }
  | { readonly type: readonly ['string', 'null']; readonly maxLength?: number; readonly description?: string }
  | {
      readonly type: readonly ['integer' | 'number', 'null'];
      readonly minimum?: number;
      readonly maximum?: number;
      readonly description?: string;
    }
  | {
      readonly type: 'array';
      readonly items: Schema;
      readonly minItems?: number;
      readonly maxItems?: number;
      readonly description?: string;
    }
  | AnySchema
  | ObjectSchema;

/** Whatever it is: for what the core judges by itself. */
export interface AnySchema {
  readonly type?: never;
  readonly description: string;
}

export interface StringSchema {
  readonly type: 'string';
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly description?: string;
}

/** Members that are not named are allowed and ignored; an object without `properties` is taken as it is. */
export interface ObjectSchema {
  readonly type: 'object';
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly description?: string;
}

type Required<S> = S extends { readonly required: readonly (infer Name extends string)[] } ? Name : never;

/** The type of what passes the schema. */
export type Shape<S> = S extends { readonly enum: readonly (infer Value)[] }
  ? Value
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

type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? unknown : never) : never;

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
