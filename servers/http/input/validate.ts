import type { ErrorObject, ValidateFunction } from 'ajv';
import type { ErrorCode } from '../../../core/error-codes.ts';
import { type CoreError, invalid } from '../../../core/index.ts';
import type { JsonSchema } from '../../../core/schema.ts';
import { validatorOf } from './built-or-compiled-validator.ts';

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The ends of messages, by the keyword of the schema that is violated. For other keywords ajv's message is used. */
const DEMANDS: Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => string>> = {
  required: () => 'is required',
  type: ({ type }) => `must be of type ${Array.isArray(type) ? type.join(' or ') : type}`,
  enum: ({ allowedValues }) =>
    `must be one of ${Array.isArray(allowedValues) ? allowedValues.join(', ') : ''}`,
  pattern: () => 'does not have the right form',
  minLength: ({ limit }) => `must have at least ${plural(Number(limit), 'character')}`,
  maxLength: ({ limit }) => `must have at most ${plural(Number(limit), 'character')}`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  minItems: ({ limit }) => `must have at least ${plural(Number(limit), 'item')}`,
  maxItems: ({ limit }) => `must have at most ${plural(Number(limit), 'item')}`,
};

/** The error codes of fields that have a code of their own in place of `invalid_request`. */
export type FieldCodes = Readonly<Record<string, ErrorCode>>;

const explain = (error: ErrorObject | undefined, inputName: string, codes: FieldCodes): CoreError => {
  if (error === undefined) return invalid('invalid_request', `The ${inputName} is not valid.`);
  const path =
    error.keyword === 'required'
      ? `${error.instancePath}/${error.params.missingProperty}`
      : error.instancePath;
  const [, member = ''] = path.split('/');
  const code = (Object.hasOwn(codes, member) ? codes[member] : undefined) ?? 'invalid_request';
  const field = path === '' ? `The ${inputName}` : `'${path.slice(1).replaceAll('/', '.')}'`;
  const demand = DEMANDS[error.keyword]?.(error.params) ?? error.message;
  return invalid(code, `${field} ${demand}.`);
};

/** A copy with only the members that the schema names. */
const pick = (schema: JsonSchema, value: unknown): unknown => {
  const { items, properties } = schema;
  if (Array.isArray(value)) return items === undefined ? value : value.map((item) => pick(items, item));
  if (typeof value !== 'object' || value === null || properties === undefined) return value;
  const picked: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(properties))
    if (Object.hasOwn(value, name)) picked[name] = pick(member, Reflect.get(value, name));
  return picked;
};

/**
 * Makes a validator for one part of a request. The validator returns a new object with the members that the schema names. It throws
 * `invalid` (`invalid_request`, or the code of the field); the message names the first wrong field and its rule, never its value.
 * `inputName` names the part in messages.
 */
export const makeValidate = (
  schema: JsonSchema,
  inputName: 'body' | 'query' | 'path',
  codes: FieldCodes = {},
) => {
  let check: ValidateFunction | undefined;
  return async (value: unknown): Promise<unknown> => {
    check ??= await validatorOf(schema);
    if (!check(value)) throw explain(check.errors?.[0], inputName, codes);
    return pick(schema, value);
  };
};
