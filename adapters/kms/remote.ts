import { UnusableKey, unavailable } from '../../core/errors.ts';
import type { Kms, Log } from '../../core/ports.ts';
import { type Calls, makeServiceCalls } from '../calls/service-calls.ts';

export type RemoteKms = Kms & Pick<Calls, 'isUp' | 'close'>;

/** Calls of a KMS. They throw `unavailable` (`kms_unavailable`). */
export const makeKmsCalls = (log: Log): Calls =>
  makeServiceCalls({
    name: 'kms',
    // `elsewhere`: only the key that a sealed text names has failed. A rotation skips a text that throws `UnusableKey`, so an
    // unexpected response, which may have another cause, does not throw it.
    unavailable: (failure) =>
      failure?.kind === 'elsewhere' && failure.reason !== 'unexpected'
        ? new UnusableKey()
        : unavailable('kms_unavailable', 'The key management service is not available.'),
    log,
  });

/** The bytes of unpadded base64url; undefined for a spelling that encoding never gives. */
export const readBase64url = (text: string): Buffer | undefined => {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
};
