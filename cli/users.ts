import { Command } from 'commander';
import type { ShownUser } from '../core/index.ts';
import type { CommandContext } from './context.ts';
import { makeOutput } from './terminal/print-results.ts';
import { safeJson } from './terminal/safe-text.ts';
import { type ActingOptions, actingVerb, type CommonOptions, verb } from './terminal/verbs-and-options.ts';
import { bindIdentitiesVerb } from './users/bind-identities.ts';
import { changeVerbs } from './users/change.ts';
import { createVerb } from './users/create.ts';
import { deleteVerb } from './users/delete.ts';
import { importVerb } from './users/import.ts';
import { listVerb } from './users/list.ts';
import { sessionVerbs } from './users/sessions.ts';

/** Describes nested records in short texts that fit on a line. */
const inShort = (user: ShownUser) => {
  const { billing, entitlements, oauthAccounts, banned, disabled, customDomain, formerDomains } = user;
  const describeRestriction = (restriction: ShownUser['banned']) =>
    restriction &&
    `${restriction.inForce ? 'yes' : 'over'}, until ${restriction.until ?? 'further notice'}: ${restriction.reason}`;
  return {
    entitlements: entitlements.map(
      ({ service, tier, connected, customStorageLimit: storage, customApiKeyLimit: keys }) =>
        [
          `${service} ${tier}`,
          ...(connected ? ['connected'] : []),
          ...(storage === null ? [] : [`storage ${storage}`]),
          ...(keys === null ? [] : [`API keys ${keys}`]),
        ].join(', '),
    ),
    oauthAccounts: oauthAccounts.map(
      ({ provider, providerAccountId, bound }) =>
        `${provider} ${providerAccountId}${bound ? '' : ', not bound'}`,
    ),
    banned: describeRestriction(banned),
    disabled: describeRestriction(disabled),
    billing: billing?.subscriptions.map(
      ({ productName, status, currentPeriodEnd }) =>
        `${productName} ${status}, period to ${currentPeriodEnd ?? '?'}`,
    ),
    formerDomains: formerDomains.map(({ domain }) => domain),
    customDomain: customDomain && `${customDomain.domain}${customDomain.verified ? '' : ', not verified'}`,
  };
};

/** `gatehouse users`: look at users and change them. */
export const usersCommand = (context: CommandContext): Command => {
  const noun = new Command('users').description('list and manage users; USER is an id or an email');

  listVerb(noun, context);

  verb(noun, 'show <user>', 'show a user').action(async (user: string, { json }: CommonOptions) => {
    const details = await context.withReadOnly(({ accounts }) => accounts.operate.showUser(user));
    makeOutput(json).record(json ? details : { ...details, ...inShort(details) });
  });

  actingVerb(
    noun,
    'export <user>',
    'export all data about a user as one JSON document, without secrets',
  ).action(async (user: string, { json, ...operator }: ActingOptions) => {
    const userExport = await context.withChanges(({ accounts }) =>
      accounts.operate.exportUser(user, context.by(operator)),
    );
    process.stdout.write(`${safeJson(userExport, json ? undefined : 2)}\n`);
  });

  createVerb(noun, context);
  changeVerbs(noun, context);
  sessionVerbs(noun, context);
  deleteVerb(noun, context);
  importVerb(noun, context);
  bindIdentitiesVerb(noun, context);
  return noun;
};
