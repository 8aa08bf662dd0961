import type { UserEvent } from '../events.ts';
import { isoTime } from '../iso-times.ts';
import type { WebhookMessage } from './ports.ts';

/** The body of a message, as Standard Webhooks recommends it. */
const bodyOf = (type: string, at: number, data: object): string =>
  JSON.stringify({ type, timestamp: isoTime(at), data });

/** An event as a message. It names only the user and the session: the receiver looks up the current state. */
export const messageOf = ({ id, at, type, userId, sessionId }: UserEvent): WebhookMessage => ({
  id,
  body: bodyOf(type, at, { userId, ...(sessionId !== null && { sessionId }) }),
});

export const testMessage = (id: string, at: number): WebhookMessage => ({
  id,
  body: bodyOf('webhook.test', at, {}),
});
