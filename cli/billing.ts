import { setTimeout as pause } from 'node:timers/promises';
import { Command } from 'commander';
import { exitCodes } from '../adapters/exit-codes.ts';
import type { Desk } from './desk.ts';
import { makeOutput, say } from './terminal/output.ts';
import { makeProgress } from './terminal/progress.ts';
import { type ActingOptions, actingVerb } from './terminal/values.ts';

/** `gatehouse billing`: repair what deliveries of the payment provider left undone. */
export const billingCommand = ({ act, by }: Desk): Command => {
  const noun = new Command('billing').description('make good what the payment provider’s deliveries did not');

  actingVerb(noun, 'replay', 'apply again what could not be applied: exits with 1 while some still cannot be')
    .option('--event <id>', 'only the delivery with this webhook-id')
    .action(async ({ event, json, ...acting }: ActingOptions & { readonly event?: string }) => {
      const done = await act(async ({ accounts, billing }) => {
        const outcome = await billing.operate.replay(event ?? null);
        await accounts.operate.record('billing.replayed', 'billing', { ...outcome }, by(acting));
        return outcome;
      });
      makeOutput(json).done(`Tried ${done.replayed} again; ${done.left} cannot be applied.`, { ...done });
      if (done.left > 0) process.exitCode = exitCodes.failed;
    });

  actingVerb(
    noun,
    'reconcile [user]',
    'ask the provider what one user has, or each who ever bought, and go by it',
  ).action(async (user: string | undefined, { json, ...acting }: ActingOptions) => {
    const progress = makeProgress();
    const done = await act(async ({ accounts, billing }) => {
      if (user !== undefined) {
        const { id } = await accounts.operate.findUser(user);
        await billing.operate.reconcile(id);
        const outcome = { asked: 1, failed: 0 };
        await accounts.operate.record('billing.reconciled', id, outcome, by(acting));
        return outcome;
      }
      const total = await billing.operate.countCustomers();
      const outcome = await billing.operate.reconcileAll(
        ({ asked, failed }) =>
          progress.show((asked + failed) / Math.max(1, total), `${asked} of ${total} asked about`),
        async (milliseconds) => {
          progress.clear();
          say(`The payment provider asks for a pause of ${Math.ceil(milliseconds / 1_000)} s.`);
          await pause(milliseconds);
        },
      );
      await accounts.operate.record('billing.reconciled', 'billing', { ...outcome }, by(acting));
      return outcome;
    });
    progress.clear();
    makeOutput(json).done(`Asked about ${done.asked}; ${done.failed} failed.`, { ...done });
    if (done.failed > 0) {
      say('Those stay as they were.');
      process.exitCode = exitCodes.failed;
    }
  });
  return noun;
};
