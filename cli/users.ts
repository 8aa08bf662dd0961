import { createInterface } from 'node:readline/promises';
import { Command } from 'commander';
import type { BoundIdentity, ShownUser, UserList } from '../core/index.ts';
import type { CommandContext } from './context.ts';
import { importVerb } from './import-users.ts';
import { makeOutput, say } from './terminal/print-results.ts';
import { printable, safeJson } from './terminal/safe-text.ts';
import {
  type ActingOptions,
  actingVerb,
  type CommonOptions,
  countOption,
  REASON,
  REQUIRED_REASON,
  timeOption,
  verb,
} from './terminal/verbs-and-options.ts';
import { userActionVerbs } from './user-action-verbs.ts';

/** The user's nested records as short texts that fit on a line. */
const shortTexts = (user: ShownUser) => {
  const { billing, entitlements, oauthAccounts, banned, disabled, customDomain, formerDomains } = user;
  const describeRestriction = (restriction: ShownUser['banned']) =>
    restriction &&
    `${restriction.inForce ? 'yes' : 'expired'}, until ${restriction.until ?? 'further notice'}: ${restriction.reason}`;
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

const describePage = ({ page, totalPages, totalCount }: UserList['pagination']): string => {
  if (totalCount === 0) return 'No users.';
  const users = totalCount === 1 ? '1 user' : `${totalCount} users`;
  return page > totalPages
    ? `There is no page ${page}: the last is ${totalPages}, ${users}.`
    : `Page ${page} of ${totalPages}, ${users}.`;
};

const listVerb = (noun: Command, { withReadOnly }: CommandContext): void => {
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
        // There is one service, so the list of a user's access has at most one entry.
        ['TIER', ({ serviceAccess: [access] }) => access?.tier ?? 'free'],
        ['PREMIUM', ({ serviceAccess: [access] }) => access?.isPremium ?? false],
        ['CREATED', ({ createdAt }) => createdAt],
      ]);
      if (!json) say(describePage(pagination));
    });
};

interface CreateOptions extends ActingOptions {
  readonly name?: string;
  readonly verified?: boolean;
  readonly sendReset?: boolean;
}

const describeMail = ({ verified = false, sendReset = false }: CreateOptions): string => {
  if (!verified) return 'A code to verify the email is mailed.';
  return sendReset ? 'A code to set a password is mailed.' : 'Nothing is mailed.';
};

const createVerb = (noun: Command, { withChanges, by }: CommandContext): void => {
  actingVerb(noun, 'create <email>', 'create an account without a password')
    .option('--name <name>', 'the display name')
    .option('--verified', 'mark the email as verified; otherwise a code is mailed to it')
    .option('--send-reset', 'mail a code to set a password; with --verified')
    .addOption(REASON)
    .action(async (email: string, options: CreateOptions) => {
      const { json, name, verified = false, sendReset = false, ...operator } = options;
      const input = { email, verified, sendReset, ...(name !== undefined && { displayName: name }) };
      const created = await withChanges(({ accounts: { operate } }) =>
        operate.createUser(input, by(operator)),
      );
      const message = `Created the account ${created.userId} for ${created.email}.`;
      makeOutput(json).done(`${message} ${describeMail(options)}`, created);
    });
};

interface RestrictOptions extends ActingOptions {
  readonly reason: string;
  readonly until?: number;
}

const RESTRICTIONS = [
  ['ban', 'banned', 'ban a user: live tokens may only read /api/auth/me, log out and delete'],
  ['disable', 'disabled', 'disable a user, with the effect of a ban'],
] as const;

/** `users ban` and `users disable`, and the verbs of the table of user actions. */
const changeVerbs = (noun: Command, context: CommandContext): void => {
  const { withChanges, by } = context;
  for (const [name, participle, description] of RESTRICTIONS) {
    actingVerb(noun, `${name} <user>`, description)
      .addOption(REQUIRED_REASON)
      .option('--until <time>', 'the end, ISO 8601; default: permanent', timeOption)
      .action(async (user: string, { json, until, ...operator }: RestrictOptions) => {
        const restriction = { reason: operator.reason, until: until ?? null };
        const result = await withChanges(({ accounts: { operate } }) =>
          operate[name](user, restriction, by(operator)),
        );
        const outcome = result.changed ? `is ${participle}` : `was ${participle} already`;
        makeOutput(json).done(`${result.email} ${outcome}.`, result);
      });
  }
  userActionVerbs(noun, context);
};

interface LogOutOptions extends ActingOptions {
  readonly session?: string;
}

const sessionVerbs = (noun: Command, { withChanges, by, withReadOnly }: CommandContext): void => {
  verb(noun, 'sessions <user>', 'list the live sessions of a user, newest first').action(
    async (user: string, { json }: CommonOptions) => {
      const sessions = await withReadOnly(({ accounts: { operate } }) => operate.listSessions(user));
      await makeOutput(json).list(sessions, [
        ['ID', ({ id }) => id],
        ['CREATED', ({ createdAt }) => createdAt],
        ['LAST USED', ({ lastUsedAt }) => lastUsedAt],
        ['ADDRESS', ({ ip }) => ip],
        ['USER AGENT', ({ userAgent }) => userAgent],
      ]);
    },
  );

  actingVerb(noun, 'logout <user>', 'end all sessions of a user, or one')
    .option('--session <id>', 'only this session')
    .addOption(REASON)
    .action(async (user: string, { json, session, ...operator }: LogOutOptions) => {
      const result = await withChanges(({ accounts: { operate } }) =>
        session === undefined
          ? operate.endSessions(user, by(operator))
          : operate.endSession(user, session, by(operator)),
      );
      const outcome = session === undefined ? 'is signed out everywhere' : 'is signed out of that session';
      makeOutput(json).done(`${result.email} ${outcome}.`, result);
    });
};

/** Asks the operator to type the email. Returns false for any other text. */
const isConfirmed = async (email: string): Promise<boolean> => {
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  process.stderr.write(`This cannot be undone. Type ${printable(email)} to delete the account: `);
  try {
    for await (const line of lines) return line.trim().toLowerCase() === email;
    return false;
  } finally {
    lines.close();
  }
};

/** `users delete`: deletes a user at once, even where the user's own deletion would wait, and prints a receipt. */
const deleteVerb = (noun: Command, { withReadOnly, withChanges, by }: CommandContext): void => {
  actingVerb(noun, 'delete <user>', 'delete a user with all their data; prints a receipt')
    .option('--yes', 'do not ask for confirmation')
    .addOption(REASON)
    .action(async (user: string, { json, yes, ...operator }: ActingOptions & { readonly yes?: boolean }) => {
      const { id, email } = await withReadOnly(({ accounts }) => accounts.operate.findUser(user));
      if (!yes && !(await isConfirmed(email))) throw new Error('Nothing was deleted.');
      const receipt = await withChanges(({ accounts }) => accounts.operate.deleteUser(id, by(operator)));
      const output = makeOutput(json);
      if (json) return output.record(receipt);
      await output.list(receipt.removed, [
        ['REMOVED', ({ what }) => what],
        ['WHERE', ({ where }) => where],
        ['COUNT', ({ count }) => count],
      ]);
      say(`${email} was deleted at ${receipt.deletedAt}; only the id ${receipt.userId} is left.`);
      for (const { what, where } of receipt.kept) say(`Kept in ${where}: ${what}.`);
      if (receipt.outstanding.length > 0) say(`Left to the servers: ${receipt.outstanding.join(', ')}.`);
    });
};

const WHY_NOT_BOUND: Readonly<Record<Exclude<BoundIdentity['outcome'], 'bound'>, string>> = {
  provider_not_set: 'the provider is not configured',
  not_of_the_provider: 'the id is not in the provider’s format',
  email_not_verified: 'the email is not verified',
  shared: 'several users have this identity',
  taken: 'another user signs in with it',
};

const bindIdentitiesVerb = (noun: Command, { withChanges, by, lowerPriority }: CommandContext): void => {
  actingVerb(
    noun,
    'bind-identities',
    'let users sign in with imported identities; lists the identities left unbound',
  )
    .hook('preAction', lowerPriority)
    .option('--dry-run', 'list what would be bound, write nothing')
    .addOption(REASON)
    .action(async ({ json, dryRun = false, ...operator }: ActingOptions & { readonly dryRun?: boolean }) => {
      let boundCount = 0;
      await withChanges(({ accounts: { operate } }) => {
        async function* listUnbound() {
          for await (const identity of operate.bindIdentities({ dryRun }, by(operator))) {
            if (identity.outcome === 'bound') boundCount += 1;
            // `outcome` is repeated for TypeScript, which narrows the property, but not the object.
            else yield { ...identity, outcome: identity.outcome };
          }
        }
        return makeOutput(json).list(listUnbound(), [
          ['EMAIL', ({ email }) => email],
          ['PROVIDER', ({ provider }) => provider],
          ['ACCOUNT', ({ providerAccountId }) => providerAccountId],
          ['NOT BOUND', ({ outcome }) => WHY_NOT_BOUND[outcome]],
        ]);
      });
      say(dryRun ? `${boundCount} would be bound; nothing was written.` : `${boundCount} bound.`);
    });
};

export const usersCommand = (context: CommandContext): Command => {
  const noun = new Command('users')
    .description('list and manage users; USER is an id or an email')
    // The longest verb leaves 31 columns of 80 to the descriptions, which Commander would not wrap.
    .configureHelp({ minWidthToWrap: 30 });

  listVerb(noun, context);

  verb(noun, 'show <user>', 'show a user').action(async (user: string, { json }: CommonOptions) => {
    const details = await context.withReadOnly(({ accounts }) => accounts.operate.showUser(user));
    makeOutput(json).record(json ? details : { ...details, ...shortTexts(details) });
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
