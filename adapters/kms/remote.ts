import { unavailable } from '../../core/errors.ts';
import type { Kms, Log } from '../../core/ports.ts';
import { type Calls, makeCalls } from '../calls/calls.ts';

/** A KMS over the network. */
export interface RemoteKms extends Kms {
  /** False while it is down, as far as the calls of this process tell. It costs no call. */
  isUp(): boolean;
  close(): void;
}

/** Calls of a KMS; what fails is `unavailable` (`kms_unavailable`). */
export const makeKmsCalls = (log: Log): Calls =>
  makeCalls({
    name: 'kms',
    unavailable: () => unavailable('kms_unavailable', 'The key management service is not available.'),
    log,
  });
