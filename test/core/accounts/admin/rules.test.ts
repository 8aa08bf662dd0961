import { expect } from 'chai';
import { listUserActions } from '../../../../core/accounts/admin/user-actions.ts';
import type { Operator } from '../../../../core/index.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { sampleTwoFactor } from '../../../contracts/samples.ts';
import { samplePasskey } from '../../../contracts/transfer-samples.ts';
import { caller } from '../open-core.ts';
import { type AdminContext, by, useAdminAccounts } from './open-admin-accounts.ts';

const REASON = 'a quarrel';
const until = null;
/** An id without an account. */
const UNKNOWN_ID = '0199a0a0-0000-7000-8000-000000000000';

type Act = (operate: AdminContext['operate'], user: string, by: Operator) => Promise<unknown>;

/** The actions that operators may not do to themselves. */
const NOT_ON_SELF: Readonly<Record<string, Act>> = {
  ban: (operate, user, by) => operate.ban(user, { reason: REASON, until }, by),
  disable: (operate, user, by) => operate.disable(user, { reason: REASON, until }, by),
  appoint: (operate, user, by) => operate.appoint(user, 'dev', by),
  dismiss: (operate, user, by) => operate.dismiss(user, by),
  'reset the second factor of': (operate, user, by) =>
    operate.resetTwoFactor(user, { ...by, reason: REASON }),
  delete: (operate, user, by) => operate.deleteUser(user, by),
};
/** These actions, and the others that restrict a user or lift a restriction. */
const FOUNDERS_ONLY: Readonly<Record<string, Act>> = {
  ...NOT_ON_SELF,
  unban: (operate, user, by) => operate.unban(user, by),
  enable: (operate, user, by) => operate.enable(user, by),
  'end the sessions of': (operate, user, by) => operate.endSessions(user, by),
  'end a session of': async (operate, user, by) => {
    const [session] = await operate.listSessions(user);
    return operate.endSession(user, session?.id ?? '', by);
  },
  'unlink an identity of': (operate, user, by) =>
    operate.unlinkIdentity(user, { provider: 'idp', providerAccountId: 'a' }, { ...by, reason: REASON }),
  'remove a passkey of': (operate, user, by) =>
    operate.removePasskey(user, samplePasskey.id, { ...by, reason: REASON }),
  'mark as verified the email of': (operate, user, by) => operate.takeEmailAsVerified(user, by),
  'set the email of': (operate, user, by) =>
    operate.setEmail(user, `${user}@new.example`, { ...by, reason: REASON }),
};

/** The name of the last call that each action makes. */
const callsOf = (acts: Readonly<Record<string, Act>>) =>
  Promise.all(
    Object.values(acts).map(async (act) => {
      let call = '';
      const recorder = new Proxy({} as AdminContext['operate'], {
        get: (_, name) => async () => {
          call = String(name);
          return [];
        },
      });
      await act(recorder, 'user', by());
      return call;
    }),
  );

describe('The rules of operator actions', () => {
  const core = useAdminAccounts();

  it('are tested with every action to which they apply', async () => {
    const actions = listUserActions();
    const onOthers = actions.filter(([, { allowsSelf }]) => allowsSelf === false);
    const protecting = actions.filter(([, { protectsFounders }]) => protectsFounders);
    expect(onOthers.length).to.be.above(4);
    expect(protecting.length).to.be.above(7);
    expect(await callsOf(NOT_ON_SELF)).to.include.members(onOthers.map(([name]) => name));
    expect(await callsOf(FOUNDERS_ONLY)).to.include.members(protecting.map(([name]) => name));
  });

  /** A founder (eve), a dev (dan) and a user without a role (ada). */
  const signUpUsers = async () => {
    const { operate, signUp } = core();
    const [eve, dan, ada] = [
      await signUp('eve@example.com'),
      await signUp('dan@example.com'),
      await signUp('ada@example.com'),
    ];
    await operate.appoint(eve.id, 'founder', by());
    await operate.appoint(dan.id, 'dev', by());
    return { eve, dan, ada };
  };
  const turnOnFactor = (id: string) =>
    core().edit(id, { twoFactor: sampleTwoFactor, passkeys: [samplePasskey] });
  const refusal = async (act: Act, user: string, by: Operator) => {
    const error = await rejectionOf(() => act(core().operate, user, by));
    expect(error)
      .to.have.property('message')
      .that.matches(/^[A-Z].*\.$/);
    return error;
  };

  for (const [name, act] of Object.entries(NOT_ON_SELF)) {
    it(`let no operator ${name} themselves, by id or email`, async () => {
      const { eve } = await signUpUsers();
      const rows = (await core().rowsAbout(eve.id)).length;
      for (const user of [eve.id, eve.email]) {
        const error = await refusal(act, user, { actor: eve.id });
        expect(error).to.include({ kind: 'conflict', code: 'own_account' });
      }
      expect(await core().rowsAbout(eve.id)).to.have.length(rows);
    });
  }

  for (const [name, act] of Object.entries(NOT_ON_SELF)) {
    it(`let only the command line ${name} the last founder who can enter the console`, async () => {
      const { eve, ada } = await signUpUsers();
      const { operate, signUp } = core();
      await turnOnFactor(eve.id);
      // A founder without a second factor and a banned founder cannot enter.
      const fay = await signUp('fay@example.com');
      await operate.appoint(fay.id, 'founder', by());
      await operate.appoint(ada.id, 'founder', by());
      await turnOnFactor(ada.id);
      await operate.ban(ada.id, { reason: REASON, until }, by());
      const error = await refusal(act, eve.id, { actor: fay.id });
      expect(error).to.include({ kind: 'conflict', code: 'last_founder' });
      await operate.unban(ada.id, by());
      await act(operate, eve.id, { actor: fay.id });
      await act(operate, ada.id, by());
    });
  }

  for (const [name, act] of Object.entries(FOUNDERS_ONLY)) {
    it(`let only a founder ${name} a founder`, async () => {
      const { eve, dan, ada } = await signUpUsers();
      const { operate, rowsAbout } = core();
      for (const { id } of [eve, dan, ada]) await turnOnFactor(id);
      await operate.appoint(ada.id, 'founder', by());
      await operate.setEmail(ada.id, 'ada@new.example', { ...by(), reason: REASON });
      const rows = (await rowsAbout(ada.id)).length;
      const error = await refusal(act, ada.id, { actor: dan.id });
      expect(error).to.include({ kind: 'forbidden', code: 'operators_only' });
      expect(await refusal(act, ada.id, { actor: UNKNOWN_ID })).to.include({ code: 'operators_only' });
      await operate.ban(eve.id, { reason: REASON, until }, by());
      expect(await refusal(act, ada.id, { actor: eve.id })).to.include({ code: 'operators_only' });
      await operate.unban(eve.id, by());
      expect(await rowsAbout(ada.id)).to.have.length(rows);
      await act(operate, ada.id, { actor: eve.id });
      await act(operate, dan.id, { actor: eve.id });
    });
  }

  it('refuse an action if the user changed after the operator saw them', async () => {
    const { eve, dan, ada } = await signUpUsers();
    const { operate, rowsAbout } = core();
    const { updatedAt: seenAt } = await operate.showUser(ada.id);
    await operate.setTier(ada.id, { tier: 'pro' }, { actor: eve.id, seen: seenAt });
    const acts: readonly Act[] = [
      ...Object.values(NOT_ON_SELF),
      (api, user, by) => api.unban(user, by),
      (api, user, by) => api.setTier(user, { tier: 'pro' }, by),
      (api, user, by) => api.clearTier(user, by),
      (api, user, by) => api.unlock(user, by),
      (api, user, by) => api.endSessions(user, by),
      (api, user, by) => api.exportUser(user, by),
    ];
    for (const act of acts) {
      const error = await refusal(act, ada.id, { actor: dan.id, seen: seenAt });
      expect(error).to.include({ kind: 'conflict', code: 'changed_meanwhile' });
    }
    expect(await rowsAbout(ada.id)).to.have.length(1);
    const { updatedAt } = await operate.showUser(ada.id);
    await operate.ban(ada.id, { reason: REASON, until }, { actor: dan.id, seen: updatedAt });
    // A ban counts as a change, too.
    const banned = await operate.showUser(ada.id);
    expect(Date.parse(banned.updatedAt)).to.be.greaterThan(Date.parse(updatedAt));
  });

  it('record the address of an operator, which the export of the user omits', async () => {
    const { eve, ada } = await signUpUsers();
    const { lines, operate, rowsAbout } = core();
    const callerFields = { ...caller, address: '198.51.100.9', requestId: 'a-request' };
    await operate.endSessions(ada.id, { actor: eve.id, reason: REASON, caller: callerFields });
    await operate.setTier(ada.id, { tier: 'pro' }, { actor: eve.id, caller: callerFields });
    for (const row of await rowsAbout(ada.id))
      expect(row).to.include({ actor: eve.id, requestId: 'a-request', address: '198.51.100.9' });
    const { audit } = await operate.exportUser(ada.id, { actor: eve.id, caller: callerFields });
    expect(audit.map(({ address }) => address)).to.deep.equal([null, null, null]);
    expect((await operate.verifyAudit()).intact).to.equal(true);

    await operate.noteView(ada.id, 'mails', { actor: eve.id, caller: callerFields });
    await operate.noteView(ada.id, 'user', { actor: eve.id });
    const logged = lines.filter(({ event, fields }) => /^operator\./.test(event) && fields.userId === ada.id);
    const origin = { address: '198.51.100.9', requestId: 'a-request' };
    expect(logged.map(({ event, fields }) => [event, fields])).to.deep.equal([
      ...['user.logged_out', 'entitlement.changed', 'user.exported'].map((reason) => [
        'operator.acted',
        { userId: ada.id, reason, ...origin },
      ]),
      ['operator.viewed', { userId: ada.id, id: eve.id, reason: 'mails', ...origin }],
      ['operator.viewed', { userId: ada.id, id: eve.id, reason: 'user' }],
    ]);
  });
});
