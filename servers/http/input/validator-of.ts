import { createHash } from 'node:crypto';
import type { Ajv, ValidateFunction } from 'ajv';
import type { Schema } from '../schema.ts';

/** What ajv makes of every schema, by the build and here. Compiling changes no value: input is checked, not mended. */
export const AJV_OPTIONS = {
  strict: true,
  allowUnionTypes: true,
  coerceTypes: false,
  useDefaults: false,
} as const;

/** Tells schemas apart by what they say. */
export const digestOf = (schema: Schema): string =>
  createHash('sha256').update(JSON.stringify(schema)).digest('base64url');

let compiler: Promise<Ajv> | undefined;

const loadCompiler = async (): Promise<Ajv> => {
  const { Ajv } = await import('ajv');
  return new Ajv(AJV_OPTIONS);
};

/**
 * The validator of a schema. Those of the routes are in the build, since ajv takes 80 ms to load and compile. A schema
 * that the build has not seen, such as one of a test, is compiled here.
 */
export const validatorOf = async (schema: Schema): Promise<ValidateFunction> => {
  const { validators } = await import('./validators.ts');
  const built = validators[digestOf(schema)];
  if (built !== undefined) return built;
  compiler ??= loadCompiler();
  return (await compiler).compile(schema);
};
