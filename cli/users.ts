import { Command } from 'commander';
import type { ShownUser } from '../core/index.ts';
import type { Desk } from './desk.ts';
import { makeOutput } from './terminal/output.ts';
import { safeJson } from './terminal/safe-text.ts';
import { type ActingOptions, actingVerb, type Common, verb } from './terminal/values.ts';
import { bindIdentitiesVerb } from './users/bind-identities.ts';
import { changeVerbs } from './users/change.ts';
import { createVerb } from './users/create.ts';
import { deleteVerb } from './users/delete.ts';
import { importVerb } from './users/import.ts';
import { listVerb } from './users/list.ts';
import { sessionVerbs } from './users/sessions.ts';

/** Nested records in a few words that fit a line. */
const inShort = (user: ShownUser) => {
  const { billing, entitlements, oauthAccounts, banned, disabled, customDomain, formerDomains } = user;
  const restriction = (one: ShownUser['banned']) =>
    one && `${one.inForce ? 'yes' : 'over'}, until ${one.until ?? 'further notice'}: ${one.reason}`;
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
    banned: restriction(banned),
    disabled: restriction(disabled),
    billing: billing?.subscriptions.map(
      ({ productName, status, currentPeriodEnd }) =>
        `${productName} ${status}, period to ${currentPeriodEnd ?? '?'}`,
    ),
    formerDomains: formerDomains.map(({ domain }) => domain),
    customDomain: customDomain && `${customDomain.domain}${customDomain.verified ? '' : ', not verified'}`,
  };
};

/** `gatehouse users`: look at users and change them. */
export const usersCommand = (desk: Desk): Command => {
  const noun = new Command('users').description('look at users and act upon them; USER is an id or an email');

  listVerb(noun, desk);

  verb(noun, 'show <user>', 'show what is known about a user').action(
    async (user: string, { json }: Common) => {
      const shown = await desk.look(({ accounts }) => accounts.operate.showUser(user));
      makeOutput(json).one(json ? shown : { ...shown, ...inShort(shown) });
    },
  );

  actingVerb(
    noun,
    'export <user>',
    'everything held about a user as one JSON document, without secrets',
  ).action(async (user: string, { json, ...acting }: ActingOptions) => {
    const all = await desk.act(({ accounts }) => accounts.operate.exportUser(user, desk.by(acting)));
    process.stdout.write(`${safeJson(all, json ? undefined : 2)}\n`);
  });

  createVerb(noun, desk);
  changeVerbs(noun, desk);
  sessionVerbs(noun, desk);
  deleteVerb(noun, desk);
  importVerb(noun, desk);
  bindIdentitiesVerb(noun, desk);
  return noun;
};
