import type { BillingPolicy } from './policy.ts';
import type { BillingPorts } from './ports.ts';

/** The ports together with the policy. */
export interface Deps extends BillingPorts {
  readonly policy: BillingPolicy;
}
