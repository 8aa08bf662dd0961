import type { Kms } from '../../core/ports.ts';

/** A KMS over the network. */
export interface RemoteKms extends Kms {
  /** False while it is down, as far as the calls of this process tell. It costs no call. */
  isUp(): boolean;
  close(): void;
}
