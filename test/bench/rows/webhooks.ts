import { inFolder } from '../folder.ts';
import type { Measure } from '../measure.ts';
import { onPostgresql, type ServerCpu } from '../postgresql.ts';
import { startProgram } from '../program.ts';
import { atLeast, type Row } from '../verdict.ts';
import type { WebhooksJob, WebhooksRate, WebhooksTask } from '../webhooks.ts';

const QUEUEING = 64;
/** Concurrent deliveries to one endpoint. */
const SENDING = 16;

/** The share of the rate of bare posts to reach; a bare post needs a quarter of the CPU of a delivery and no write. */
const LEAST = { SQLite: 0.2, PostgreSQL: 0.1 };

/** Deliveries of a full outbox by one process, to a receiver on this machine, which answers at once. */
const onStore = async (
  { full, say }: Measure,
  name: keyof typeof LEAST,
  settings: Readonly<Record<string, string>>,
  server?: ServerCpu,
): Promise<Row> => {
  const events = full ? 50_000 : 5_000;
  const receiver = await startProgram<object, number>('webhook-receiver', {});
  try {
    return await inFolder(async (folder) => {
      const job = { folder, settings, port: receiver.answer, events };
      const program = await startProgram<WebhooksJob, WebhooksRate>('webhooks', job);
      const measureTask = (work: WebhooksTask['work'], inFlight: number) => {
        say(`webhooks: ${name}, ${work}`);
        return program.ask<WebhooksTask, WebhooksRate>({ work, inFlight });
      };
      try {
        await measureTask('queue', QUEUEING);
        const before = server?.seconds() ?? 0;
        const { perSecond, cpu } = await measureTask('deliver', SENDING);
        const inServer = (((server?.seconds() ?? 0) - before) * 1_000_000) / events;
        const bare = await measureTask('post', SENDING);
        return atLeast(LEAST[name], {
          row: `webhooks, ${name}, one process`,
          unit: '/s',
          product: perSecond,
          reference: bare.perSecond,
          against: 'bare posts',
          note: `${cpu.toFixed(0)} us of CPU each${server === undefined ? '' : ` and ${inServer.toFixed(0)} in the server`}; bare ${bare.cpu.toFixed(0)}`,
        });
      } finally {
        await program.end();
      }
    });
  } finally {
    await receiver.end();
  }
};

export const webhooks = async (measure: Measure): Promise<readonly Row[]> => [
  await onStore(measure, 'SQLite', {}),
  await onPostgresql((url, server) => onStore(measure, 'PostgreSQL', { POSTGRES_URL: url }, server)),
];
