import { expect } from 'chai';
import { by, useAdminAccounts } from '../admin/open-admin-accounts.ts';
import { caller } from '../open-core.ts';

const CHANGED = 'An operator of Gatehouse was changed';

describe('Mails about a change of operators', () => {
  const core = useAdminAccounts();
  const subjectsTo = (email: string) =>
    core().mails.flatMap(({ to, subject }) => (to === email && /operator/.test(subject) ? [subject] : []));
  const settle = async () => {
    await core().settle();
    while ((await core().accounts.background.deliverMail(1)) > 0);
  };

  /** A founder (eve), a banned founder (fay), a dev (dan) and a user (ada). */
  const signUpUsers = async () => {
    const { operate, signUp } = core();
    const [eve, dan, fay, ada] = [
      await signUp('eve@example.com'),
      await signUp('dan@example.com'),
      await signUp('fay@example.com'),
      await signUp('ada@example.com'),
    ];
    await operate.appoint(eve.id, 'founder', by());
    await operate.appoint(fay.id, 'founder', by());
    await operate.ban(fay.id, { reason: 'a quarrel', until: null }, by());
    await operate.appoint(dan.id, 'dev', by());
    await settle();
    core().mails.splice(0);
    return { eve, dan, fay, ada };
  };

  it('go to the operator and to the active founders, once for each change', async () => {
    const { eve, dan, fay, ada } = await signUpUsers();
    const { operate, mails } = core();
    await operate.appoint(ada.id, 'dev', { actor: eve.id });
    await operate.appoint(ada.id, 'dev', { actor: eve.id });
    await operate.setTier(ada.id, { tier: 'pro' }, { actor: eve.id });
    await settle();
    expect(subjectsTo(ada.email)).to.deep.equal(['You are now an operator of Gatehouse']);
    expect(subjectsTo(eve.email)).to.deep.equal([CHANGED]);
    expect([...subjectsTo(dan.email), ...subjectsTo(fay.email)]).to.deep.equal([]);
    const { text = '' } = mails.find(({ to }) => to === eve.email) ?? {};
    expect(text).to.include('Account: ada@example.com').and.include('Role before: none');
    expect(text).to.include('Role now: dev').and.include('Changed by: eve@example.com');
  });

  it('reach founders even if the operator is deleted, and are not listed for the operator', async () => {
    const { eve, ada } = await signUpUsers();
    const { operate } = core();
    await operate.appoint(ada.id, 'founder', by());
    expect((await operate.listMailsOf(ada.id)).map(({ to }) => to)).to.not.include(eve.email);
    await operate.deleteUser(ada.id, by());
    await settle();
    expect(subjectsTo(eve.email)).to.deep.equal([CHANGED, CHANGED]);
    expect(subjectsTo(ada.email)).to.deep.equal([]);
  });

  it('name the actor as far as known, and the IP address', async () => {
    const { eve, ada } = await signUpUsers();
    const { mails, operate } = core();
    const unknownId = '0199a0a0-0000-7000-8000-000000000000';
    const from = { ...caller, address: '198.51.100.9' };
    for (const [by, name] of [
      [{ actor: unknownId, caller: from }, unknownId],
      [{ actor: 'operator:cli', person: ' Zoë ' }, 'operator:cli (Zoë)'],
      [{ actor: eve.id, person: 'Zoë' }, `${eve.email} (Zoë)`],
    ] as const) {
      await operate.appoint(ada.id, 'dev', by);
      await operate.dismiss(ada.id, by);
      await settle();
      const texts = mails.splice(0).flatMap(({ to, text }) => (to === eve.email ? [text] : []));
      expect(texts).to.have.length(2);
      for (const text of texts) {
        expect(text)
          .to.include(`Changed by: ${name}\n`)
          .and.match(/When: .*2026/);
        expect(text.includes('IP address: 198.51.100.9')).to.equal('caller' in by);
      }
    }
  });

  it('name the role that ended with a deleted account', async () => {
    const { eve, dan } = await signUpUsers();
    await core().operate.deleteUser(dan.id, { actor: eve.id });
    await settle();
    const { text = '' } =
      core().mails.find(({ to, subject }) => to === eve.email && subject === CHANGED) ?? {};
    expect(text).to.include('Role before: dev').and.include('Role now: none');
    expect(subjectsTo(dan.email)).to.deep.equal([]);
  });
});
