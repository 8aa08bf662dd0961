import { Command } from 'commander';
import type { CommandContext } from './context.ts';
import { makeOutput } from './terminal/print-results.ts';
import type { CommonOptions } from './terminal/verbs-and-options.ts';

/** `gatehouse stats`: count users by kind, and what they have stored. */
export const statsCommand = ({ withReadOnly }: CommandContext): Command =>
  new Command('stats')
    .description(
      'count the users: all, premium and free, by tier, verified, with two factors, banned, disabled; files and bytes',
    )
    .option('--json', 'JSON instead of a table')
    .action(async ({ json }: CommonOptions) => {
      const { stats, totals } = await withReadOnly(async ({ accounts, files }) => ({
        stats: await accounts.operate.stats(),
        totals: await files.operate.totals(),
      }));
      const { total, premium, byTier, verified, twoFactor, banned, disabled } = stats;
      const counts = { totalUsers: total, premiumUsers: premium, freeUsers: total - premium };
      const rest = { verified, twoFactor, banned, disabled, files: totals.files, bytes: totals.bytes };
      const tiers = Object.entries(byTier).map(([tier, count]) => [`tier ${tier}`, count]);
      makeOutput(json).record({ ...counts, ...(json ? { byTier } : Object.fromEntries(tiers)), ...rest });
    });
