import type { Command } from 'commander';
import type { BoundIdentity } from '../../core/index.ts';
import type { CommandContext } from '../context.ts';
import { makeOutput, say } from '../terminal/print-results.ts';
import { type ActingOptions, actingVerb } from '../terminal/verbs-and-options.ts';

interface BindOptions extends ActingOptions {
  readonly dryRun?: boolean;
}

const WHY: Readonly<Record<Exclude<BoundIdentity['outcome'], 'bound'>, string>> = {
  provider_not_set: 'the provider is not configured',
  not_of_the_provider: 'the id is not in the provider’s format',
  email_not_verified: 'the email is not verified',
  shared: 'several users have this identity',
  taken: 'another user signs in with it',
};

/** `users bind-identities`. */
export const bindIdentitiesVerb = (noun: Command, { withChanges, by, giveWay }: CommandContext): void => {
  actingVerb(
    noun,
    'bind-identities',
    'let users sign in with imported identities; lists the identities left unbound',
  )
    .hook('preAction', giveWay)
    .option('--dry-run', 'list what would be bound, write nothing')
    .option('--reason <reason>', 'why; audited')
    .action(async ({ json, dryRun = false, ...operator }: BindOptions) => {
      let bound = 0;
      await withChanges(({ accounts: { operate } }) => {
        async function* unbound() {
          for await (const identity of operate.bindIdentities({ dryRun }, by(operator))) {
            if (identity.outcome === 'bound') bound += 1;
            else yield { ...identity, outcome: identity.outcome };
          }
        }
        return makeOutput(json).list(unbound(), [
          ['EMAIL', ({ email }) => email],
          ['PROVIDER', ({ provider }) => provider],
          ['ACCOUNT', ({ providerAccountId }) => providerAccountId],
          ['NOT BOUND', ({ outcome }) => WHY[outcome]],
        ]);
      });
      say(dryRun ? `${bound} would be bound; nothing was written.` : `${bound} bound.`);
    });
};
