import { setTimeout as pause } from 'node:timers/promises';
import { Command } from 'commander';
import { exitCodes } from '../adapters/exit-codes.ts';
import { type CommandContext, changeAndRecord, type Product } from './context.ts';
import { makeOutput, say } from './terminal/print-results.ts';
import { makeProgress } from './terminal/progress.ts';
import { type ActingOptions, actingVerb } from './terminal/verbs-and-options.ts';

/** `gatehouse billing`: repairs what deliveries of the payment provider left undone. */
export const billingCommand = (context: CommandContext): Command => {
  const { withChanges, by, lowerPriority } = context;
  const noun = new Command('billing').description(
    'repair the effects of missing or failed deliveries of the payment provider',
  );

  actingVerb(
    noun,
    'replay',
    'apply deliveries that could not be applied before; exits with 1 if some still cannot',
  )
    .hook('preAction', lowerPriority)
    .option('--event <id>', 'only the delivery with this webhook-id')
    .action(async ({ event, json, ...operator }: ActingOptions & { readonly event?: string }) => {
      const work = { name: 'billing.replay', done: 'billing.replayed', target: 'billing' };
      const result = await changeAndRecord(context, operator, work, async ({ billing }, recordStart) => {
        // `replay` records the start once it has found the event.
        const outcome = await billing.operate.replay(event ?? null, recordStart);
        return { answer: outcome, after: { ...outcome } };
      });
      makeOutput(json).done(`Tried ${result.replayed} again; ${result.left} cannot be applied.`, result);
      if (result.left > 0) process.exitCode = exitCodes.failed;
    });

  actingVerb(
    noun,
    'reconcile [user]',
    'ask the provider about one user, or about every customer, and apply its answers',
  )
    .hook('preAction', lowerPriority)
    .action(async (user: string | undefined, { json, ...operator }: ActingOptions) => {
      const progress = makeProgress();
      const reconcileAll = async ({ billing }: Product) => {
        const total = await billing.operate.countCustomers();
        return billing.operate.reconcileAll(
          ({ asked, failed }) =>
            progress.show((asked + failed) / Math.max(1, total), `${asked} of ${total} asked about`),
          async (milliseconds) => {
            progress.clear();
            say(`The payment provider asks for a pause of ${Math.ceil(milliseconds / 1_000)} s.`);
            await pause(milliseconds);
          },
        );
      };
      const reconcileUser = async ({ billing }: Product, id: string) => {
        await billing.operate.reconcile(id);
        return { asked: 1, failed: 0 };
      };
      const result = await withChanges(async (product) => {
        const { operate } = product.accounts;
        const id = user === undefined ? undefined : (await operate.findUser(user)).id;
        const run = async (recordStart: () => Promise<void>) => {
          await recordStart();
          const outcome = await (id === undefined ? reconcileAll(product) : reconcileUser(product, id));
          return { answer: outcome, after: { ...outcome } };
        };
        const target = id ?? 'billing';
        const work = { name: 'billing.reconcile', done: 'billing.reconciled', target, run };
        return operate.recordWork(work, by(operator));
      });
      progress.clear();
      const users = result.asked === 1 ? '1 user' : `${result.asked} users`;
      makeOutput(json).done(`Asked about ${users}; ${result.failed} failed.`, result);
      if (result.failed > 0) {
        say('The users of failed requests stay unchanged.');
        process.exitCode = exitCodes.failed;
      }
    });
  return noun;
};
