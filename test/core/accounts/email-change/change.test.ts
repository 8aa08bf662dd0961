import { expect } from 'chai';
import { writeProof } from '../../../../core/accounts/sessions/change-session.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { by, password } from '../admin/open-admin-accounts.ts';
import { caller } from '../open-core.ts';
import { NEW, OLD, useOwner } from './open-owner.ts';

const NEXT = 'another horse battery';

describe('A change of email', () => {
  const owner = useOwner();

  it('takes effect by a code to the new address, notifies the old one and ends other sessions', async () => {
    const { ask, confirm, codeTo, principal, accounts, events, id, mails, settle } = await owner();
    const otherSignIn = await accounts.logIn({ email: OLD, password }, caller);
    expect(await ask()).to.have.property('email', NEW);
    await settle();
    expect(mails.slice(-2).map(({ to }) => to)).to.have.members([NEW, OLD]);
    expect((await principal()).user.email).to.equal(OLD);
    expect(await confirm(await codeTo(NEW))).to.deep.equal({ success: true, email: NEW });
    expect((await principal()).user.email).to.equal(NEW);
    await settle();
    expect(mails.at(-1)?.to).to.equal(OLD);
    expect(events.map(({ type, userId }) => `${type} ${userId}`)).to.include(`user.email_changed ${id}`);
    const token = 'token' in otherSignIn ? otherSignIn.token : '';
    expect(await rejectionOf(() => accounts.authenticate(token))).to.include({ code: 'invalid_token' });
    expect(await rejectionOf(() => accounts.logIn({ email: OLD, password }, caller))).to.include({
      code: 'wrong_credentials',
    });
    expect(await accounts.logIn({ email: NEW, password }, caller)).to.have.property('token');
  });

  it('is refused in a session that is not fresh, and for the current address', async () => {
    const { ask, ports, principal } = await owner();
    const currentPrincipal = await principal();
    expect(await rejectionOf(() => ask(OLD.toUpperCase()))).to.include({ code: 'same_email' });
    const stale = { ...currentPrincipal, session: { ...currentPrincipal.session, authenticatedAt: 0 } };
    const key = { userId: currentPrincipal.user.id, id: currentPrincipal.session.id };
    await writeProof(ports, key, () => ({ authenticatedAt: 0, methods: [] }));
    expect(await rejectionOf(() => ask(NEW, stale))).to.include({ code: 'fresh_authentication_needed' });
  });

  it('is confirmed only by the session that requested it', async () => {
    const { ask, codeTo, confirm, accounts } = await owner();
    const otherSignIn = await accounts.logIn({ email: OLD, password }, caller);
    await ask();
    const code = await codeTo(NEW);
    const thief = await accounts.authenticate('token' in otherSignIn ? otherSignIn.token : '');
    expect(await rejectionOf(() => confirm(code, thief))).to.include({ code: 'invalid_code' });
    expect(await confirm(code)).to.have.property('email', NEW);
    expect(await rejectionOf(() => confirm(code))).to.include({ code: 'invalid_code' });
  });

  for (const [what, invalidate] of Object.entries({
    'a newer request': async ({ ask }: Owner) => ask('newer@example.com'),
    'a cancellation': async ({ accounts, principal }: Owner) => accounts.cancelEmailChange(await principal()),
    'a change of the password': async ({ accounts, principal }: Owner) =>
      accounts.changePassword(await principal(), { currentPassword: password, newPassword: NEXT }, caller),
    'a ban that is lifted again': async ({ operate, id }: Owner) => {
      await operate.ban(id, { reason: 'odd', until: null }, by());
      await operate.unban(id, by());
    },
    'another email set by an operator': async ({ operate, id }: Owner) =>
      operate.setEmail(id, 'third@example.com', { ...by(), reason: 'asked' }),
  }))
    it(`is void after ${what}`, async () => {
      const context = await owner();
      const { ask, codeTo, confirm, principal } = context;
      await ask();
      const code = await codeTo(NEW);
      const result: unknown = await invalidate(context);
      // A change of the password gives the session a new token.
      const token: unknown = Reflect.get(Object(result), 'token');
      const currentPrincipal = await (typeof token === 'string' ? principal(token) : principal());
      expect(await rejectionOf(() => confirm(code, currentPrincipal))).to.include({ code: 'invalid_code' });
    });

  it('is refused after its expiry, and after five wrong codes', async () => {
    const { ask, account, clock, codeTo, confirm, edit, id } = await owner();
    await ask();
    const code = await codeTo(NEW);
    const wrongCode = code === '000000' ? '000001' : '000000';
    for (let place = 0; place < 5; place += 1)
      expect(await rejectionOf(() => confirm(wrongCode))).to.include({ code: 'invalid_code' });
    expect(await rejectionOf(() => confirm(code))).to.include({ code: 'invalid_code' });
    await ask();
    const { emailChange } = await account();
    if (emailChange == null) throw new Error('There is no request.');
    await edit(id, { emailChange: { ...emailChange, expiresAt: clock.now() } });
    const newest = await codeTo(NEW);
    expect(await rejectionOf(() => confirm(newest))).to.include({ code: 'invalid_code' });
  });

  it('answers alike for a taken address, but sends no code there', async () => {
    const { ask, confirm, mails, settle, signUp } = await owner();
    await signUp('grace@example.com');
    const freeAnswer = await ask();
    const takenAnswer = await ask('grace@example.com');
    expect({ ...takenAnswer, email: '' }).to.deep.equal({ ...freeAnswer, email: '' });
    await settle();
    const lastMail = mails.filter(({ to }) => to === 'grace@example.com').at(-1);
    expect(lastMail?.subject).not.to.include('new');
    expect(await rejectionOf(() => confirm('000000'))).to.include({ code: 'invalid_code' });
  });

  it('takes the address from an unverified registration', async () => {
    const { ask, accounts, codeTo, confirm } = await owner();
    await ask();
    const code = await codeTo(NEW);
    await accounts.register({ email: NEW, password: NEXT }, caller);
    expect(await confirm(code)).to.have.property('email', NEW);
    expect(await accounts.logIn({ email: NEW, password }, caller)).to.have.property('token');
  });

  it('is refused if another account has verified the address meanwhile', async () => {
    const { ask, codeTo, confirm, signUp, principal } = await owner();
    await ask();
    const code = await codeTo(NEW);
    await signUp(NEW);
    expect(await rejectionOf(() => confirm(code))).to.include({ code: 'email_taken' });
    expect((await principal()).user.email).to.equal(OLD);
  });

  it('is refused while three earlier changes can be undone, whatever the daily count is', async () => {
    const { ask, change, ports } = await owner();
    for (const place of [1, 2, 3]) await change(`n${place}@example.com`);
    const refusal = await rejectionOf(() => ask('n4@example.com'));
    expect(refusal).to.include({ code: 'email_change_held' });
    expect(String(refusal)).not.to.include('wrong');
    await ports.attempts.removeUnder('email-changes:');
    expect(await rejectionOf(() => ask('n4@example.com'))).to.include({ code: 'email_change_held' });
  });

  it('is audited without an address', async () => {
    const { change, undo, id, rowsAbout } = await owner();
    await undo(await change());
    const rows = await rowsAbout(id);
    expect(rows.map(({ action }) => action).slice(-3)).to.deep.equal([
      'email.change_asked',
      'email.changed',
      'email.change_undone',
    ]);
    expect(JSON.stringify(rows)).not.to.include('@example.com');
  });
});

type Owner = Awaited<ReturnType<ReturnType<typeof useOwner>>>;
