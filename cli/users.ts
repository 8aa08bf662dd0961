import { Command } from 'commander';
import type { ShownUser, UserList } from '../core/index.ts';
import type { Desk } from './desk.ts';
import { makeOutput, say } from './output.ts';
import { countOption } from './quantities.ts';
import { safeJson } from './safe-text.ts';
import { changeVerbs } from './users-change.ts';
import { deleteVerb } from './users-delete.ts';
import { importVerb } from './users-import.ts';
import { type ActingOptions, actingVerb, type Common, verb } from './values.ts';

interface List extends Common {
  readonly tier?: string;
  readonly email?: string;
  readonly page?: number;
  readonly limit?: number;
}

/** What is a record of its own, in a few words that fit a line. */
const inShort = (user: ShownUser) => {
  const { billing, entitlements, oauthAccounts, banned, disabled, customDomain, formerDomains } = user;
  const restriction = (one: ShownUser['banned']) =>
    one && `${one.inForce ? 'yes' : 'over'}, until ${one.until ?? 'further notice'}: ${one.reason}`;
  return {
    entitlements: entitlements.map(
      ({ service, tier, connected }) => `${service} ${tier}${connected ? ', connected' : ''}`,
    ),
    oauthAccounts: oauthAccounts.map(({ provider, providerAccountId }) => `${provider} ${providerAccountId}`),
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

const whichPage = ({ page, totalPages, totalCount }: UserList['pagination']): string => {
  if (totalCount === 0) return 'No users.';
  const users = totalCount === 1 ? '1 user' : `${totalCount} users`;
  return page > totalPages
    ? `There is no page ${page}: the last is ${totalPages}, ${users}.`
    : `Page ${page} of ${totalPages}, ${users}.`;
};

/** `gatehouse users`: look at users and act upon them. */
export const usersCommand = (desk: Desk): Command => {
  const noun = new Command('users').description('look at users and act upon them; USER is an id or an email');

  verb(noun, 'list', 'list users, newest first')
    .option('--tier <tier>', 'only those with this tier in effect')
    .option('--email <email>', 'only the one with this email')
    .option('--page <number>', 'which page, from 1', countOption)
    .option('--limit <number>', 'users a page, at most 200', countOption)
    .action(async ({ json, ...filter }: List) => {
      const { users, pagination } = await desk.look(({ accounts }) => accounts.listUsers(filter));
      await makeOutput(json).list(users, [
        ['ID', ({ id }) => id],
        ['EMAIL', ({ email }) => email],
        ['NAME', ({ displayName }) => displayName],
        ['TIER', ({ serviceAccess: [first] }) => first?.tier ?? 'free'],
        ['PREMIUM', ({ serviceAccess: [first] }) => first?.isPremium ?? false],
        ['CREATED', ({ createdAt }) => createdAt],
      ]);
      if (!json) say(whichPage(pagination));
    });

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

  changeVerbs(noun, desk);
  deleteVerb(noun, desk);
  importVerb(noun, desk);
  return noun;
};
