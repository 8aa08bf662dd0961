import { actMembers } from '../../core/accounts/admin/console-calls.ts';
import { type Accounts, invalid } from '../../core/index.ts';
import { integer, nullable, object, optional, text } from '../../core/schema.ts';
import { readTime } from '../../core/times.ts';
import type { AnyRoute } from '../http/route.ts';
import { actBody } from './act-route.ts';
import { makeUserAct, type Reasoned } from './user-act.ts';

const limit = (description: string) =>
  optional(
    nullable(
      integer({
        minimum: 0,
        description: `${description}; null: the tier’s own; absent: as it is`,
        examples: [null],
      }),
    ),
  );

const tierBody = object({
  ...actMembers,
  tier: text({ maxLength: 64, description: 'One of the setting `TIERS`', examples: ['pro'] }),
  storage: limit('Bytes'),
  apiKeys: limit('A number of keys'),
});

const restrictBody = object({
  ...actMembers,
  until: optional(
    nullable(
      text({
        maxLength: 40,
        description: 'ISO 8601; null or absent: for good',
        examples: ['2030-12-01T00:00:00.000Z'],
      }),
    ),
  ),
});

const timeOf = (until: string | null | undefined): number | null => {
  if (until == null) return null;
  const time = readTime(until);
  if (time === undefined) throw invalid('invalid_until', 'The end must be a time in ISO 8601.');
  return time;
};

/** Acts of developers on users. */
export const actRoutes = (accounts: Accounts): readonly AnyRoute[] => {
  const { operate } = accounts;
  const userAct = makeUserAct(accounts);

  const restrict = (path: 'ban' | 'disable', summary: string): AnyRoute =>
    userAct({
      path,
      summary,
      body: restrictBody,
      example: { body: { reason: 'Sends spam', until: null } },
      invalid: ['invalid_until'],
      conflicts: ['own_account', 'last_founder'],
      run: (id, by, { until }) => operate[path](id, { reason: by.reason, until: timeOf(until) }, by),
    });

  type Run = (id: string, by: Reasoned) => ReturnType<typeof operate.unban>;
  const simpleAct = (path: string, summary: string, run: Run, ...conflicts: readonly string[]): AnyRoute =>
    userAct({ path, summary, body: actBody, conflicts, run });
  const ending = (path: string, summary: string, run: Run): AnyRoute =>
    userAct({ method: 'DELETE', path, summary, body: actBody, run });

  return [
    userAct({
      path: 'tier',
      summary: 'Grant a tier, and limits',
      body: tierBody,
      example: { body: { reason: 'A friend of the house', tier: 'pro', storage: null } },
      invalid: ['unknown_tier', 'invalid_limit'],
      run: (id, by, { tier, storage, apiKeys }) =>
        operate.setTier(
          id,
          {
            tier,
            ...(storage !== undefined && { customStorageLimit: storage }),
            ...(apiKeys !== undefined && { customApiKeyLimit: apiKeys }),
          },
          by,
        ),
    }),
    ending('tier', 'End a granted tier, so that billing decides again', operate.clearTier),
    restrict('ban', 'Ban a user at once, for good or until a time'),
    simpleAct('unban', 'End a ban', operate.unban),
    restrict('disable', 'Disable a user at once, for good or until a time'),
    simpleAct('enable', 'End a disablement', operate.enable),
    simpleAct('unlock', 'End every hold because of wrong passwords and codes', operate.unlock),
    simpleAct('verify', 'Take the email as verified', operate.takeEmailAsVerified),
    userAct({
      path: 'resend-code',
      summary: 'Mail a new code to verify the email',
      body: actBody,
      conflicts: ['already_verified'],
      refusals: { 429: { description: 'The address got too many.', errors: ['too_many_code_mails'] } },
      run: operate.resendCode,
    }),
    simpleAct(
      'reset-two-factor',
      'Remove the second factor, end all sessions and tell the user by mail',
      operate.resetTwoFactor,
      'own_account',
    ),
    ending('sessions', 'End all sessions', operate.endSessions),
  ];
};
