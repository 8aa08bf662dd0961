import type { NewId } from '../ids.ts';
import type { WebhooksPolicy } from './policy.ts';
import type { WebhooksPorts } from './ports.ts';

/** The ports and policy together with the one tool that the use cases share. */
export interface Kit extends WebhooksPorts {
  readonly policy: WebhooksPolicy;
  readonly newId: NewId;
}
