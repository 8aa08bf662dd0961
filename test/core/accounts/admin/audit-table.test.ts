import type { Accounts } from '../../../../core/index.ts';
import { type AuditCase, type AuditCaseUser, testTable } from '../audit-table.ts';
import { caller } from '../open-core.ts';
import { useOperated } from './open-operated.ts';

const ACTOR = 'operator:cli';
const by = () => ({ actor: ACTOR, person: ' Zoë ' });

const none = (act: AuditCase['act'], first?: AuditCase['act']): readonly AuditCase[] => [
  { act, rows: [], ...(first && { first }) },
];
/** An act that writes one row, and none where it changes nothing. */
const one = (row: string, act: AuditCase['act'], first?: AuditCase['act']): readonly AuditCase[] => [
  { act, rows: [row], actor: ACTOR, ...(first && { first }) },
];
const onceOnly = (row: string, act: AuditCase['act'], first?: AuditCase['act']): readonly AuditCase[] => [
  ...one(row, act, first),
  {
    first: async (ground) => {
      await first?.(ground);
      await act(ground);
    },
    act,
    rows: [],
  },
];

const ban = ({ operate, email }: AuditCaseUser) => operate.ban(email, { reason: 'spam', until: null }, by());
const disable = ({ operate, email }: AuditCaseUser) =>
  operate.disable(email, { reason: 'asked', until: null }, by());
const hold = async ({ accounts, email }: AuditCaseUser) => {
  for (let time = 0; time < 100; time += 1)
    await accounts.logIn({ email, password: 'a wrong one' }, caller).catch(() => undefined);
};

const IDENTITY = { provider: 'github', providerAccountId: '1' };
const IMPORT = { dryRun: false, onBad: () => undefined, onProgress: () => undefined };
const linesOf = async function* (email: string) {
  yield JSON.stringify({ email, emailVerified: true, tier: 'pro' });
};
const consume = async (list: AsyncIterable<unknown>): Promise<void> => {
  for await (const _ of list);
};

/** By act of an operator. What it is about is the user, but for what `record` names. */
const TABLE: Readonly<Record<keyof Accounts['operate'], readonly AuditCase[]>> = {
  findUser: none(({ operate, email }) => operate.findUser(email)),
  findEmails: none(({ operate, id }) => operate.findEmails([id])),
  stats: none(({ operate }) => operate.stats()),
  listAuditBack: none(({ operate }) => operate.listAuditBack({})),
  listMailsByState: none(({ operate }) => operate.listMailsByState({})),
  listDirectory: none(({ operate }) => operate.listDirectory({})),
  showUser: none(({ operate, email }) => operate.showUser(email)),
  exportUser: one('user.exported', ({ operate, email }) => operate.exportUser(email, by())),
  importUsers: [
    {
      act: ({ operate, email }) => operate.importUsers(linesOf(email), IMPORT, by()),
      rows: [],
    },
    {
      act: ({ operate, email }) => operate.importUsers(linesOf(`new.${email}`), IMPORT, by()),
      about: async ({ operate, email }) => (await operate.findUser(`new.${email}`)).id,
      rows: ['user.imported', 'entitlement.changed'],
      actor: ACTOR,
    },
  ],
  bindIdentities: none(({ operate }) => consume(operate.bindIdentities({ dryRun: false }, by()))),
  deleteUser: [
    {
      act: ({ operate, id }) => operate.deleteUser(id, by()),
      rows: ['audit.erased', 'account.deleted'],
      actor: ACTOR,
    },
  ],
  ban: one('user.banned', ban),
  unban: onceOnly('user.unbanned', ({ operate, email }) => operate.unban(email, by()), ban),
  disable: one('user.disabled', disable),
  enable: onceOnly('user.enabled', ({ operate, email }) => operate.enable(email, by()), disable),
  unlock: one('user.unlocked', ({ operate, email }) => operate.unlock(email, by()), hold),
  endSessions: one('user.logged_out', ({ operate, email }) => operate.endSessions(email, by())),
  createUser: [
    {
      act: ({ operate, email }) => operate.createUser({ email: `new.${email}` }, by()),
      about: async ({ operate, email }) => (await operate.findUser(`new.${email}`)).id,
      rows: ['user.created'],
      actor: ACTOR,
    },
  ],
  setEmail: onceOnly('user.email_changed', ({ operate, email, id }) =>
    operate.setEmail(id, `moved.${email}`, { ...by(), reason: 'asked' }),
  ),
  sendReset: one('password.reset_sent', ({ operate, email }) => operate.sendReset(email, by())),
  resendCode: one(
    'user.code_resent',
    ({ operate, email }) => operate.resendCode(email, by()),
    ({ edit, id }) => edit(id, { verified: false }),
  ),
  endSession: one('session.ended', async ({ operate, email, who }) =>
    operate.endSession(email, (await who()).session.id, by()),
  ),
  listSessions: none(({ operate, email }) => operate.listSessions(email)),
  takeEmailAsVerified: none(({ operate, email }) => operate.takeEmailAsVerified(email, by())),
  resetTwoFactor: onceOnly(
    'two_factor.reset',
    ({ operate, email }) => operate.resetTwoFactor(email, { ...by(), reason: 'lost' }),
    ({ turnOnFactor }) => turnOnFactor(),
  ),
  unlinkIdentity: onceOnly(
    'identity.unlinked',
    ({ operate, email }) => operate.unlinkIdentity(email, IDENTITY, { ...by(), reason: 'not hers' }),
    ({ edit, id }) => edit(id, { oauthAccounts: [{ ...IDENTITY, email: null, createdAt: '' }] }),
  ),
  removePasskey: none(async ({ operate, email }) => {
    const gone = operate.removePasskey(email, 'none', { ...by(), reason: 'lost' });
    return gone.catch(() => undefined);
  }),
  setTier: onceOnly('entitlement.changed', ({ operate, email }) =>
    operate.setTier(email, { tier: 'pro' }, by()),
  ),
  clearTier: onceOnly(
    'entitlement.changed',
    ({ operate, email }) => operate.clearTier(email, by()),
    ({ operate, email }) => operate.setTier(email, { tier: 'pro' }, by()),
  ),
  appoint: onceOnly('entitlement.changed', ({ operate, email }) => operate.appoint(email, 'dev', by())),
  dismiss: onceOnly(
    'entitlement.changed',
    ({ operate, email }) => operate.dismiss(email, by()),
    ({ operate, email }) => operate.appoint(email, 'dev', by()),
  ),
  listAudit: none(async ({ rowsAbout, id }) => rowsAbout(id)),
  verifyAudit: none(({ operate }) => operate.verifyAudit()),
  startAuditCheck: none(({ operate }) => operate.startAuditCheck()),
  showAuditCheck: none(({ operate }) => operate.showAuditCheck()),
  statistics: none(({ operate }) => operate.statistics({ days: 30 })),
  sealedKeys: none(({ operate }) => operate.sealedKeys()),
  listMails: none(({ operate }) => consume(operate.listMails())),
  listMailsOf: none(({ operate, email }) => operate.listMailsOf(email)),
  retryMails: none(({ operate }) => operate.retryMails(null, by())),
  resealSecrets: none(({ operate }) => operate.resealSecrets(() => undefined)),
  countSealed: none(({ operate }) => operate.countSealed()),
  noteView: none(({ operate, id }) => operate.noteView(id, 'user', by())),
  recordWork: [
    {
      act: ({ operate, id }) => {
        const run = async (begin: () => Promise<void>) => {
          await begin();
          return { answer: 1, after: { count: 1 } };
        };
        return operate.recordWork({ name: 'some.work', done: 'some.done', target: id, run }, by());
      },
      rows: ['some.work_started', 'some.done'],
      actor: ACTOR,
    },
  ],
  record: one('keys.rotated', ({ operate, id }) => operate.record('keys.rotated', id, {}, by())),
};

describe('The rows that each act of an operator writes into the audit log, with the person', () => {
  testTable(TABLE, useOperated(), 'Zoë');
});
