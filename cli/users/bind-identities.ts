import type { Command } from 'commander';
import type { BoundIdentity } from '../../core/index.ts';
import type { Desk } from '../desk.ts';
import { makeOutput, say } from '../terminal/output.ts';
import { type ActingOptions, actingVerb } from '../terminal/values.ts';

interface Bind extends ActingOptions {
  readonly dryRun?: boolean;
}

const WHY: Readonly<Record<Exclude<BoundIdentity['outcome'], 'bound'>, string>> = {
  provider_not_set: 'the provider is not set',
  not_of_the_provider: 'the provider names nobody so',
  email_not_verified: 'the email is not verified',
  shared: 'several users have it',
  taken: 'another user signs in with it',
};

/** `users bind-identities`. */
export const bindIdentitiesVerb = (noun: Command, { act, by }: Desk): void => {
  actingVerb(noun, 'bind-identities', 'let users sign in with imported identities; lists those left unbound')
    .option('--dry-run', 'say what would be bound, write nothing')
    .option('--reason <reason>', 'why; audited')
    .action(async ({ json, dryRun = false, ...acting }: Bind) => {
      let bound = 0;
      await act(({ accounts: { operate } }) => {
        async function* left() {
          for await (const one of operate.bindIdentities({ dryRun }, by(acting))) {
            if (one.outcome === 'bound') bound += 1;
            else yield { ...one, outcome: one.outcome };
          }
        }
        return makeOutput(json).list(left(), [
          ['EMAIL', ({ email }) => email],
          ['PROVIDER', ({ provider }) => provider],
          ['ACCOUNT', ({ providerAccountId }) => providerAccountId],
          ['NOT BOUND', ({ outcome }) => WHY[outcome]],
        ]);
      });
      say(dryRun ? `${bound} would be bound; nothing was written.` : `${bound} bound.`);
    });
};
