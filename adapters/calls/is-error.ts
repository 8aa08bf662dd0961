import { isNativeError } from 'node:util/types';

/**
 * Whether the value is an error, also one of Node.js in a test that Jest runs: there it belongs to another realm, so that
 * `instanceof Error` is false.
 */
export const isError = (value: unknown): value is Error => value instanceof Error || isNativeError(value);
