import type { Command } from 'commander';
import type { UserList } from '../../core/index.ts';
import type { CommandContext } from '../context.ts';
import { makeOutput, say } from '../terminal/print-results.ts';
import { type CommonOptions, countOption, verb } from '../terminal/verbs-and-options.ts';

interface ListOptions extends CommonOptions {
  readonly tier?: string;
  readonly email?: string;
  readonly banned?: boolean;
  readonly disabled?: boolean;
  readonly unverified?: boolean;
  readonly operator?: boolean;
  readonly page?: number;
  readonly limit?: number;
}

const whichPage = ({ page, totalPages, totalCount }: UserList['pagination']): string => {
  if (totalCount === 0) return 'No users.';
  const users = totalCount === 1 ? '1 user' : `${totalCount} users`;
  return page > totalPages
    ? `There is no page ${page}: the last is ${totalPages}, ${users}.`
    : `Page ${page} of ${totalPages}, ${users}.`;
};

/** `users list`. */
export const listVerb = (noun: Command, { withReadOnly }: CommandContext): void => {
  verb(noun, 'list', 'list users, newest first, or with --email in the order of emails')
    .option('--tier <tier>', 'only users with this tier in effect')
    .option('--email <part>', 'only users whose email begins with this text')
    .option('--banned', 'only banned users')
    .option('--disabled', 'only disabled users')
    .option('--unverified', 'only users whose email is not verified')
    .option('--operator', 'only operators')
    .option('--page <number>', 'the page, from 1', countOption)
    .option('--limit <number>', 'users per page, at most 200', countOption)
    .action(async ({ json, email, ...rest }: ListOptions) => {
      const search = { ...rest, ...(email !== undefined && { emailBegins: email }) };
      const { users, pagination } = await withReadOnly(({ accounts }) => accounts.listUsers(search));
      await makeOutput(json).list(users, [
        ['ID', ({ id }) => id],
        ['EMAIL', (user) => user.email],
        ['NAME', ({ displayName }) => displayName],
        ['TIER', ({ serviceAccess: [first] }) => first?.tier ?? 'free'],
        ['PREMIUM', ({ serviceAccess: [first] }) => first?.isPremium ?? false],
        ['CREATED', ({ createdAt }) => createdAt],
      ]);
      if (!json) say(whichPage(pagination));
    });
};
