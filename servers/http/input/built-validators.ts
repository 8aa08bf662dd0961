import type { ValidateFunction } from 'ajv';

/**
 * The validators of all routes, by the digest of their schema. The table is empty here: the build fills it in dist/ with
 * the code that ajv makes, see cli/build/validators.mjs.
 */
export const validators: Readonly<Record<string, ValidateFunction>> = {};
