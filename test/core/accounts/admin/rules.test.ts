import { expect } from 'chai';
import { listUserActions } from '../../../../core/accounts/admin/user-actions.ts';
import type { Operator } from '../../../../core/index.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { sampleTwoFactor } from '../../../contracts/samples.ts';
import { samplePasskey } from '../../../contracts/transfer-samples.ts';
import { caller } from '../open-core.ts';
import { by, type Operated, useOperated } from './open-operated.ts';

const REASON = 'a quarrel';
const until = null;
/** The id of an account that there is not. */
const NOBODY = '0199a0a0-0000-7000-8000-000000000000';

type Act = (operate: Operated['operate'], user: string, by: Operator) => Promise<unknown>;

/** The actions that operators may not do to themselves. */
const NOT_ON_ONESELF: Readonly<Record<string, Act>> = {
  ban: (operate, user, who) => operate.ban(user, { reason: REASON, until }, who),
  disable: (operate, user, who) => operate.disable(user, { reason: REASON, until }, who),
  appoint: (operate, user, who) => operate.appoint(user, 'dev', who),
  dismiss: (operate, user, who) => operate.dismiss(user, who),
  'reset the second factor of': (operate, user, who) =>
    operate.resetTwoFactor(user, { ...who, reason: REASON }),
  delete: (operate, user, who) => operate.deleteUser(user, who),
};
/** Those, and the others that restrict a user or lift a restriction. */
const UPON_A_FOUNDER: Readonly<Record<string, Act>> = {
  ...NOT_ON_ONESELF,
  unban: (operate, user, who) => operate.unban(user, who),
  enable: (operate, user, who) => operate.enable(user, who),
  'end the sessions of': (operate, user, who) => operate.endSessions(user, who),
  'end a session of': async (operate, user, who) => {
    const [session] = await operate.listSessions(user);
    return operate.endSession(user, session?.id ?? '', who);
  },
  'unlink an identity of': (operate, user, who) =>
    operate.unlinkIdentity(user, { provider: 'idp', providerAccountId: 'a' }, { ...who, reason: REASON }),
  'remove a passkey of': (operate, user, who) =>
    operate.removePasskey(user, samplePasskey.id, { ...who, reason: REASON }),
  'take the email as verified of': (operate, user, who) => operate.takeEmailAsVerified(user, who),
  'give another email to': (operate, user, who) =>
    operate.setEmail(user, `${user}@new.example`, { ...who, reason: REASON }),
};

/** The last call that each of them makes. */
const callsOf = (acts: Readonly<Record<string, Act>>) =>
  Promise.all(
    Object.values(acts).map(async (act) => {
      let call = '';
      const noting = new Proxy({} as Operated['operate'], {
        get: (_, name) => async () => {
          call = String(name);
          return [];
        },
      });
      await act(noting, 'user', by());
      return call;
    }),
  );

describe('The rules of actions', () => {
  const operated = useOperated();

  it('are tried with every action that has them', async () => {
    const actions = listUserActions();
    const onOthers = actions.filter(([, { allowsSelf }]) => allowsSelf === false);
    const protecting = actions.filter(([, { protectsFounders }]) => protectsFounders);
    expect(onOthers.length).to.be.above(4);
    expect(protecting.length).to.be.above(7);
    expect(await callsOf(NOT_ON_ONESELF)).to.include.members(onOthers.map(([name]) => name));
    expect(await callsOf(UPON_A_FOUNDER)).to.include.members(protecting.map(([name]) => name));
  });

  /** A founder and a dev, and one who is neither. */
  const people = async () => {
    const { operate, signUp } = operated();
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
    operated().edit(id, { twoFactor: sampleTwoFactor, passkeys: [samplePasskey] });
  const refusal = async (act: Act, user: string, who: Operator) => {
    const error = await rejectionOf(() => act(operated().operate, user, who));
    expect(error)
      .to.have.property('message')
      .that.matches(/^[A-Z].*\.$/);
    return error;
  };

  for (const [name, act] of Object.entries(NOT_ON_ONESELF)) {
    it(`let nobody ${name} themselves, by id or email`, async () => {
      const { eve } = await people();
      const rows = (await operated().rowsAbout(eve.id)).length;
      for (const user of [eve.id, eve.email]) {
        const error = await refusal(act, user, { actor: eve.id });
        expect(error).to.include({ kind: 'conflict', code: 'own_account' });
      }
      expect(await operated().rowsAbout(eve.id)).to.have.length(rows);
    });
  }

  for (const [name, act] of Object.entries(NOT_ON_ONESELF)) {
    it(`let no founder ${name} the last one who can enter the console, but the command line`, async () => {
      const { eve, ada } = await people();
      const { operate, signUp } = operated();
      await turnOnFactor(eve.id);
      // A founder without a second factor, or banned, cannot enter.
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

  for (const [name, act] of Object.entries(UPON_A_FOUNDER)) {
    it(`let only a founder ${name} a founder`, async () => {
      const { eve, dan, ada } = await people();
      const { operate, rowsAbout } = operated();
      for (const { id } of [eve, dan, ada]) await turnOnFactor(id);
      await operate.appoint(ada.id, 'founder', by());
      await operate.setEmail(ada.id, 'ada@new.example', { ...by(), reason: REASON });
      const rows = (await rowsAbout(ada.id)).length;
      const error = await refusal(act, ada.id, { actor: dan.id });
      expect(error).to.include({ kind: 'forbidden', code: 'operators_only' });
      expect(await refusal(act, ada.id, { actor: NOBODY })).to.include({ code: 'operators_only' });
      await operate.ban(eve.id, { reason: REASON, until }, by());
      expect(await refusal(act, ada.id, { actor: eve.id })).to.include({ code: 'operators_only' });
      await operate.unban(eve.id, by());
      expect(await rowsAbout(ada.id)).to.have.length(rows);
      await act(operate, ada.id, { actor: eve.id });
      await act(operate, dan.id, { actor: eve.id });
    });
  }

  it('leave a user alone who is not as the operator saw them', async () => {
    const { eve, dan, ada } = await people();
    const { operate, rowsAbout } = operated();
    const { updatedAt: seenAt } = await operate.showUser(ada.id);
    await operate.setTier(ada.id, { tier: 'pro' }, { actor: eve.id, seen: seenAt });
    const acts: readonly Act[] = [
      ...Object.values(NOT_ON_ONESELF),
      (all, user, who) => all.unban(user, who),
      (all, user, who) => all.setTier(user, { tier: 'pro' }, who),
      (all, user, who) => all.clearTier(user, who),
      (all, user, who) => all.unlock(user, who),
      (all, user, who) => all.endSessions(user, who),
      (all, user, who) => all.exportUser(user, who),
    ];
    for (const act of acts) {
      const error = await refusal(act, ada.id, { actor: dan.id, seen: seenAt });
      expect(error).to.include({ kind: 'conflict', code: 'changed_meanwhile' });
    }
    expect(await rowsAbout(ada.id)).to.have.length(1);
    const { updatedAt } = await operate.showUser(ada.id);
    await operate.ban(ada.id, { reason: REASON, until }, { actor: dan.id, seen: updatedAt });
    // What no operator did counts as well.
    const banned = await operate.showUser(ada.id);
    expect(Date.parse(banned.updatedAt)).to.be.greaterThan(Date.parse(updatedAt));
  });

  it('record from where an operator acted, which the export of the user leaves out', async () => {
    const { eve, ada } = await people();
    const { lines, operate, rowsAbout } = operated();
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
