import { createHash } from 'node:crypto';
import type { Ajv, ValidateFunction } from 'ajv';
import type { JsonSchema } from '../../../core/schema.ts';

/** The options of ajv for all schemas, here and in the build. With them a validation changes no value. */
export const AJV_OPTIONS = {
  strict: true,
  allowUnionTypes: true,
  coerceTypes: false,
  useDefaults: false,
} as const;

/** A digest of a schema's content. */
export const digestOf = (schema: JsonSchema): string =>
  createHash('sha256').update(JSON.stringify(schema)).digest('base64url');

let compiler: Promise<Ajv> | undefined;

const loadCompiler = async (): Promise<Ajv> => {
  const { Ajv } = await import('ajv');
  return new Ajv(AJV_OPTIONS);
};

/**
 * Returns the validator of a schema. The build has compiled the schemas of all routes, since ajv takes 80 ms to load and compile.
 * Any other schema, such as that of a test, is compiled here.
 */
export const validatorOf = async (schema: JsonSchema): Promise<ValidateFunction> => {
  const { validators } = await import('./built-validators.ts');
  const built = validators[digestOf(schema)];
  if (built !== undefined) return built;
  compiler ??= loadCompiler();
  return (await compiler).compile(schema);
};
