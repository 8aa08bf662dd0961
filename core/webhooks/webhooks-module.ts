import { checkArguments, completePolicy, requirePorts } from '../check-arguments.ts';
import { makeNewId } from '../ids.ts';
import { CALL, either, NUMBER, nullable, object, optional, TEXT, WHOLE } from '../schema.ts';
import { makeAdmin } from './admin.ts';
import type { Webhooks } from './api.ts';
import { makeDeliverAll } from './deliver-webhooks.ts';
import type { Deps } from './deps.ts';
import { defaultWebhooksPolicy, type WebhooksPolicy } from './policy.ts';
import type { WebhooksPorts } from './ports.ts';
import { makeEvents } from './queue-webhooks.ts';

export type { Webhooks };

const HAPPENED = object({
  id: TEXT,
  at: NUMBER,
  type: TEXT,
  userId: TEXT,
  sessionId: nullable(TEXT),
});

const WHICH = either('endpoint', object({ endpoint: TEXT }), object({ id: TEXT }));

/** Creates the webhooks to other servers from ports and policy; absent numbers of the policy have their defaults. */
export const createWebhooks = (ports: WebhooksPorts, policy: Partial<WebhooksPolicy> = {}): Webhooks => {
  requirePorts(ports, policy);
  const deps: Deps = {
    ...ports,
    policy: completePolicy(defaultWebhooksPolicy, policy),
    newId: makeNewId(ports.clock, ports.random),
  };
  return {
    events: checkArguments(makeEvents(deps), { publish: { event: HAPPENED } }),
    operate: checkArguments(makeAdmin(deps), {
      discardDeliveries: { which: WHICH, begin: optional(CALL) },
      retryDeliveries: { id: nullable(TEXT), begin: optional(CALL) },
      tryEndpoint: { url: TEXT },
    }),
    background: checkArguments({ deliver: makeDeliverAll(deps) }, { deliver: { fence: WHOLE } }),
  };
};
