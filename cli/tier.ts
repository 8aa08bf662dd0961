import { Command } from 'commander';
import type { SetTierResult } from '../core/index.ts';
import type { CommandContext } from './context.ts';
import { makeOutput } from './terminal/print-results.ts';
import {
  type ActingOptions,
  actingVerb,
  bytesOption,
  type Limit,
  limitOption,
  REASON,
} from './terminal/verbs-and-options.ts';

interface SetOptions extends ActingOptions {
  readonly storage?: Limit;
  readonly apiKeys?: Limit;
}

const limitOf = (limit: Limit): number | null => (limit === 'none' ? null : limit);

const printTier = (json: boolean | undefined, result: SetTierResult, unchangedNote: string) => {
  const tier = result.entitlement?.tier ?? 'free';
  const message = result.changed ? `has the tier ${tier}` : `had the tier ${tier} already, ${unchangedNote}`;
  makeOutput(json).done(`${result.email} ${message}.`, result);
};

/** `gatehouse tier`: grant tiers beside billing. */
export const tierCommand = ({ withChanges, by }: CommandContext): Command => {
  const noun = new Command('tier').description('grant tiers; a grant takes precedence over billing');

  actingVerb(noun, 'set <user> <tier>', 'grant a tier, and limits for the user')
    .addOption(REASON)
    .option(
      '--storage <bytes>',
      'storage limit, such as 1TB or 500GiB, or none for the tier’s own',
      bytesOption,
    )
    .option('--api-keys <number>', 'limit of API keys, or none for the tier’s own', limitOption)
    .action(async (user: string, tier: string, { json, storage, apiKeys, ...operator }: SetOptions) => {
      const input = {
        tier,
        ...(storage !== undefined && { customStorageLimit: limitOf(storage) }),
        ...(apiKeys !== undefined && { customApiKeyLimit: limitOf(apiKeys) }),
      };
      const result = await withChanges(({ accounts: { operate } }) =>
        operate.setTier(user, input, by(operator)),
      );
      printTier(json, result, 'by the same grant');
    });

  actingVerb(noun, 'clear <user>', 'end the grant, so that billing decides again; limits stay')
    .addOption(REASON)
    .action(async (user: string, { json, ...operator }: ActingOptions) => {
      const result = await withChanges(({ accounts: { operate } }) => operate.clearTier(user, by(operator)));
      printTier(json, result, 'not by a grant');
    });
  return noun;
};
