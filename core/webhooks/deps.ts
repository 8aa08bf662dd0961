import type { NewId } from '../ids.ts';
import type { WebhooksPolicy } from './policy.ts';
import type { WebhooksPorts } from './ports.ts';

/** The ports, the policy and the id generator that the use cases share. */
export interface Deps extends WebhooksPorts {
  readonly policy: WebhooksPolicy;
  readonly newId: NewId;
}
