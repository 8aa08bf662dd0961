import { hash } from 'node:crypto';
import { invalid } from '../../core/errors.ts';

/** SHA-256 of a context: of fixed length, so that the log of a key service reveals nothing of the context. */
export const contextDigest = (context: string): Buffer => hash('sha256', context, 'buffer');

export const invalidSealed = () =>
  invalid('invalid_sealed', 'This value was not sealed here for this purpose.');
