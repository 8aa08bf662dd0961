import { Command } from 'commander';
import { exitCodes } from '../adapters/exit-codes.ts';
import { invalid } from '../core/errors.ts';
import type { DeliverySelection } from '../core/webhooks/ports.ts';
import { type CommandContext, changeAndRecord } from './context.ts';
import { makeOutput } from './terminal/print-results.ts';
import { type ActingOptions, actingVerb, type CommonOptions, verb } from './terminal/verbs-and-options.ts';

interface DiscardOptions extends ActingOptions {
  readonly address?: string;
}

const readSelection = (id: string | undefined, address: string | undefined): DeliverySelection => {
  if (id !== undefined && address === undefined) return { id };
  if (id === undefined && address !== undefined) return { endpoint: address };
  throw invalid(
    'invalid_request',
    'Give the id of a delivery, or --address for all deliveries to an address.',
  );
};

/** The address for the audit log, without its query, which may be a secret. */
const withoutQuery = (address: string): string => address.replace(/\?.*/s, '');

/** `gatehouse webhooks`: lists, retries and discards deliveries to `WEBHOOK_URLS`, and tests an address. */
export const webhooksCommand = (context: CommandContext): Command => {
  const { withReadOnly } = context;
  const noun = new Command('webhooks').description('list undelivered events and retry them');

  verb(noun, 'list', 'list deliveries that are waiting, failing or dead').action(
    async ({ json }: CommonOptions) => {
      await withReadOnly(({ webhooks: { operate } }) =>
        makeOutput(json).list(operate.listDeliveries(), [
          ['ID', ({ id }) => id],
          ['STATE', ({ state }) => state],
          ['ENDPOINT', ({ endpoint }) => endpoint],
          ['TYPE', ({ type }) => type],
          ['USER', ({ userId }) => userId],
          ['CREATED', ({ createdAt }) => createdAt],
          ['TRIES', ({ tries }) => tries],
          ['DUE', ({ dueAt }) => dueAt],
          ['FAILURE', ({ lastFailure }) => lastFailure],
        ]),
      );
    },
  );

  actingVerb(noun, 'retry [id]', 'retry a delivery now, or all deliveries, also dead ones').action(
    async (id: string | undefined, { json, ...operator }: ActingOptions) => {
      const work = { name: 'webhooks.retry', done: 'webhooks.retried', target: id ?? 'webhooks' };
      const count = await changeAndRecord(context, operator, work, async (product, recordStart) => {
        const retryCount = await product.webhooks.operate.retryDeliveries(id ?? null, recordStart);
        return { answer: retryCount, after: { count: retryCount } };
      });
      makeOutput(json).done(`${count} due now.`, { count });
    },
  );

  actingVerb(noun, 'discard [id]', 'remove a delivery, or all to an address: their events are lost')
    .option('--address <url>', 'all deliveries to this address, also if it is no longer in the settings')
    .action(async (id: string | undefined, { address, json, ...operator }: DiscardOptions) => {
      const selection = readSelection(id, address);
      const work = { name: 'webhooks.discard', done: 'webhooks.discarded', target: id ?? 'webhooks' };
      const count = await changeAndRecord(context, operator, work, async (product, recordStart) => {
        const discardCount = await product.webhooks.operate.discardDeliveries(selection, recordStart);
        const addressFact = address !== undefined && { address: withoutQuery(address) };
        return { answer: discardCount, after: { count: discardCount, ...addressFact } };
      });
      makeOutput(json).done(`${count} discarded.`, { count });
    });

  verb(
    noun,
    'test <url>',
    'send a test message to an address of WEBHOOK_URLS; exits with 1 if it is not accepted',
  ).action(async (url: string, { json }: CommonOptions) => {
    const delivery = await withReadOnly(({ webhooks: { operate } }) => operate.tryEndpoint(url));
    const failure = delivery.outcome === 'sent' ? null : delivery.failure;
    makeOutput(json).done(failure === null ? 'Delivered.' : `Not delivered: ${failure}.`, {
      delivered: failure === null,
      failure,
    });
    if (failure !== null) process.exitCode = exitCodes.failed;
  });
  return noun;
};
