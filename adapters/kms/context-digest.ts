import { hash } from 'node:crypto';
import { invalid } from '../../core/errors.ts';

/** The bytes of unpadded base64url; undefined for a spelling that encoding never gives. */
export const readBase64url = (text: string): Buffer | undefined => {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
};

/** SHA-256 of a context: of fixed length, so that the log of a service reveals nothing of the context. */
export const contextDigest = (context: string): Buffer => hash('sha256', context, 'buffer');

export const invalidSealed = () =>
  invalid('invalid_sealed', 'This value was not sealed here for this purpose.');
