/** A program: delivers events of a store to a receiver in a single process, and posts to the receiver without a store. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { compose } from '../../../adapters/compose.ts';
import { readConfig } from '../../../adapters/config.ts';
import { unawaited } from '../../support/unawaited.ts';
import { SETTINGS } from '../server.ts';
import type { WebhooksJob, WebhooksRate, WebhooksTask } from '../webhooks.ts';

const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
const BODY = JSON.stringify({
  type: 'user.verified',
  timestamp: new Date(0).toISOString(),
  data: { userId: randomUUID() },
});

/** Repeats the work `count` times, `inFlight` at a time. */
const repeat = async (count: number, inFlight: number, work: () => Promise<unknown>): Promise<void> => {
  let left = count;
  const worker = async () => {
    for (; left > 0; ) {
      left -= 1;
      await work();
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
};

process.once(
  'message',
  unawaited(async ({ folder, settings, port, events }: WebhooksJob) => {
    const url = `http://127.0.0.1:${port}/hooks`;
    const receiver = { WEBHOOK_URLS: `${url} ${SECRET}`, WEBHOOK_ALLOW_PRIVATE: 'on' };
    const env = { ...SETTINGS, ...settings, ...receiver, LOG_LEVEL: 'error', DATA_DIR: folder };
    const { accounts, webhooks } = await compose(readConfig(env, folder));
    await accounts.open();
    const agent = new Agent({ keepAlive: true });

    const publish = async () => {
      const type = 'user.verified';
      const event = {
        id: randomUUID(),
        at: Date.now(),
        type,
        userId: randomUUID(),
        sessionId: null,
      } as const;
      await webhooks.events.publish(event);
    };
    const post = async () => {
      const headers = { 'Content-Type': 'application/json', 'Content-Length': BODY.length };
      const sending = request(url, { method: 'POST', agent, headers }).end(BODY);
      const [response] = (await once(sending, 'response')) as [IncomingMessage];
      response.resume();
      await once(response, 'end');
    };
    const deliver = async () => {
      let delivered = 0;
      // The same calls as the background job that holds the lease.
      for (let sent = -1; sent !== 0; delivered += sent) sent = await webhooks.background.deliver(1);
      if (delivered < events) throw new Error(`${events - delivered} of ${events} were not delivered.`);
    };
    const tasks: Readonly<Record<WebhooksTask['work'], (inFlight: number) => Promise<void>>> = {
      queue: (inFlight) => repeat(events, inFlight, publish),
      deliver,
      post: (inFlight) => repeat(events, inFlight, post),
    };

    process.on(
      'message',
      unawaited(async ({ work, inFlight }: WebhooksTask) => {
        const startedAt = performance.now();
        const before = process.cpuUsage();
        await tasks[work](inFlight);
        const { user, system } = process.cpuUsage(before);
        const perSecond = events / ((performance.now() - startedAt) / 1_000);
        process.send?.({ perSecond, cpu: (user + system) / events } satisfies WebhooksRate);
      }),
    );
    process.send?.({ perSecond: 0, cpu: 0 } satisfies WebhooksRate);
  }),
);
