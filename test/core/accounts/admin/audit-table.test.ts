import type { Accounts } from '../../../../core/index.ts';
import { type AuditCase, type AuditCaseUser, testTable } from '../audit-table.ts';
import { caller } from '../open-core.ts';
import { useAdminAccounts } from './open-admin-accounts.ts';

const ACTOR = 'operator:cli';
const by = () => ({ actor: ACTOR, person: ' Zoë ' });

const noRows = (act: AuditCase['act'], first?: AuditCase['act']): readonly AuditCase[] => [
  { act, rows: [], ...(first && { first }) },
];
const oneRow = (row: string, act: AuditCase['act'], first?: AuditCase['act']): readonly AuditCase[] => [
  { act, rows: [row], actor: ACTOR, ...(first && { first }) },
];
/** A call that writes one row, and none if it is repeated without a change. */
const onceOnly = (row: string, act: AuditCase['act'], first?: AuditCase['act']): readonly AuditCase[] => [
  ...oneRow(row, act, first),
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
const lockOut = async ({ accounts, email }: AuditCaseUser) => {
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

/** Keyed by the call of an operator. The rows are about the user unless `about` returns another id. */
const TABLE: Readonly<Record<keyof Accounts['operate'], readonly AuditCase[]>> = {
  findUser: noRows(({ operate, email }) => operate.findUser(email)),
  findEmails: noRows(({ operate, id }) => operate.findEmails([id])),
  stats: noRows(({ operate }) => operate.stats()),
  listAuditBack: noRows(({ operate }) => operate.listAuditBack({})),
  listMailsByState: noRows(({ operate }) => operate.listMailsByState({})),
  listDirectory: noRows(({ operate }) => operate.listDirectory({})),
  showUser: noRows(({ operate, email }) => operate.showUser(email)),
  exportUser: oneRow('user.exported', ({ operate, email }) => operate.exportUser(email, by())),
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
  bindIdentities: noRows(({ operate }) => consume(operate.bindIdentities({ dryRun: false }, by()))),
  deleteUser: [
    {
      act: ({ operate, id }) => operate.deleteUser(id, by()),
      rows: ['audit.erased', 'account.deleted'],
      actor: ACTOR,
    },
  ],
  ban: oneRow('user.banned', ban),
  unban: onceOnly('user.unbanned', ({ operate, email }) => operate.unban(email, by()), ban),
  disable: oneRow('user.disabled', disable),
  enable: onceOnly('user.enabled', ({ operate, email }) => operate.enable(email, by()), disable),
  unlock: oneRow('user.unlocked', ({ operate, email }) => operate.unlock(email, by()), lockOut),
  endSessions: oneRow('user.logged_out', ({ operate, email }) => operate.endSessions(email, by())),
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
  sendReset: oneRow('password.reset_sent', ({ operate, email }) => operate.sendReset(email, by())),
  resendCode: oneRow(
    'user.code_resent',
    ({ operate, email }) => operate.resendCode(email, by()),
    ({ edit, id }) => edit(id, { verified: false }),
  ),
  endSession: oneRow('session.ended', async ({ operate, email, principal }) =>
    operate.endSession(email, (await principal()).session.id, by()),
  ),
  listSessions: noRows(({ operate, email }) => operate.listSessions(email)),
  takeEmailAsVerified: noRows(({ operate, email }) => operate.takeEmailAsVerified(email, by())),
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
  removePasskey: noRows(async ({ operate, email }) => {
    const removal = operate.removePasskey(email, 'none', { ...by(), reason: 'lost' });
    return removal.catch(() => undefined);
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
  listAudit: noRows(async ({ rowsAbout, id }) => rowsAbout(id)),
  verifyAudit: noRows(({ operate }) => operate.verifyAudit()),
  startAuditCheck: noRows(({ operate }) => operate.startAuditCheck()),
  showAuditCheck: noRows(({ operate }) => operate.showAuditCheck()),
  statistics: noRows(({ operate }) => operate.statistics({ days: 30 })),
  sealedKeys: noRows(({ operate }) => operate.sealedKeys()),
  listMails: noRows(({ operate }) => consume(operate.listMails())),
  listMailsOf: noRows(({ operate, email }) => operate.listMailsOf(email)),
  retryMails: noRows(({ operate }) => operate.retryMails(null, by())),
  resealSecrets: noRows(({ operate }) => operate.resealSecrets(() => undefined)),
  countSealed: noRows(({ operate }) => operate.countSealed()),
  noteView: noRows(({ operate, id }) => operate.noteView(id, 'user', by())),
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
  record: oneRow('keys.rotated', ({ operate, id }) => operate.record('keys.rotated', id, {}, by())),
};

describe('The audit rows of each operator call, with the name of the person', () => {
  testTable(TABLE, useAdminAccounts(), 'Zoë');
});
