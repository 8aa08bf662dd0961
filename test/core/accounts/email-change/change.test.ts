import { expect } from 'chai';
import { writeProof } from '../../../../core/accounts/sessions/change-session.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { by, password } from '../admin/open-operated.ts';
import { caller } from '../open-core.ts';
import { NEW, OLD, useOwner } from './open-owner.ts';

const NEXT = 'another horse battery';

describe('A change of email', () => {
  const owner = useOwner();

  it('is done by the code from the new address; the old one hears of it twice, and other sessions end', async () => {
    const { ask, confirm, codeTo, who, accounts, events, id, mails, settle } = await owner();
    const other = await accounts.logIn({ email: OLD, password }, caller);
    expect(await ask()).to.have.property('email', NEW);
    await settle();
    expect(mails.at(-1)?.to === OLD || mails.at(-2)?.to === OLD).to.equal(true);
    expect((await who()).user.email).to.equal(OLD);
    expect(await confirm(await codeTo(NEW))).to.deep.equal({ success: true, email: NEW });
    expect((await who()).user.email).to.equal(NEW);
    await settle();
    expect(mails.at(-1)?.to).to.equal(OLD);
    expect(events.map(({ type, userId }) => `${type} ${userId}`)).to.include(`user.email_changed ${id}`);
    const token = 'token' in other ? other.token : '';
    expect(await rejectionOf(() => accounts.authenticate(token))).to.include({ code: 'invalid_token' });
    expect(await rejectionOf(() => accounts.logIn({ email: OLD, password }, caller))).to.include({
      code: 'wrong_credentials',
    });
    expect(await accounts.logIn({ email: NEW, password }, caller)).to.have.property('token');
  });

  it('is not begun by a session whose proof is old, nor for the address that the account has', async () => {
    const { ask, ports, who } = await owner();
    const identity = await who();
    expect(await rejectionOf(() => ask(OLD.toUpperCase()))).to.include({ code: 'same_email' });
    const stale = { ...identity, session: { ...identity.session, authenticatedAt: 0 } };
    const key = { userId: identity.user.id, id: identity.session.id };
    await writeProof(ports, key, () => ({ authenticatedAt: 0, methods: [] }));
    expect(await rejectionOf(() => ask(NEW, stale))).to.include({ code: 'fresh_authentication_needed' });
  });

  it('is confirmed by the session that asked alone', async () => {
    const { ask, codeTo, confirm, accounts } = await owner();
    const other = await accounts.logIn({ email: OLD, password }, caller);
    await ask();
    const code = await codeTo(NEW);
    const thief = await accounts.authenticate('token' in other ? other.token : '');
    expect(await rejectionOf(() => confirm(code, thief))).to.include({ code: 'invalid_code' });
    expect(await confirm(code)).to.have.property('email', NEW);
    expect(await rejectionOf(() => confirm(code))).to.include({ code: 'invalid_code' });
  });

  for (const [what, void_] of Object.entries({
    'a newer one': async ({ ask }: Owner) => ask('newer@example.com'),
    'a withdrawal': async ({ accounts, who }: Owner) => accounts.cancelEmailChange(await who()),
    'a change of the password': async ({ accounts, who }: Owner) =>
      accounts.changePassword(await who(), { currentPassword: password, newPassword: NEXT }, caller),
    'a ban that is lifted again': async ({ operate, id }: Owner) => {
      await operate.ban(id, { reason: 'odd', until: null }, by());
      await operate.unban(id, by());
    },
    'another email set by an operator': async ({ operate, id }: Owner) =>
      operate.setEmail(id, 'third@example.com', { ...by(), reason: 'asked' }),
  }))
    it(`is void after ${what}`, async () => {
      const context = await owner();
      const { ask, codeTo, confirm, who } = context;
      await ask();
      const code = await codeTo(NEW);
      const changed: unknown = await void_(context);
      // A change of the password gives the session another token.
      const token: unknown = Reflect.get(Object(changed), 'token');
      const identity = await (typeof token === 'string' ? who(token) : who());
      expect(await rejectionOf(() => confirm(code, identity))).to.include({ code: 'invalid_code' });
    });

  it('is over after 15 minutes, and after five wrong codes', async () => {
    const { ask, account, clock, codeTo, confirm, edit, id } = await owner();
    await ask();
    const code = await codeTo(NEW);
    const wrongCode = code === '000000' ? '000001' : '000000';
    for (let place = 0; place < 5; place += 1)
      expect(await rejectionOf(() => confirm(wrongCode))).to.include({ code: 'invalid_code' });
    expect(await rejectionOf(() => confirm(code))).to.include({ code: 'invalid_code' });
    await ask();
    const { emailChange } = await account();
    if (emailChange == null) throw new Error('Nothing was asked for.');
    await edit(id, { emailChange: { ...emailChange, expiresAt: clock.now() } });
    const newest = await codeTo(NEW);
    expect(await rejectionOf(() => confirm(newest))).to.include({ code: 'invalid_code' });
  });

  it('answers the same for a taken address, sends nothing there, and no code makes it one’s own', async () => {
    const { ask, confirm, mails, settle, signUp } = await owner();
    await signUp('grace@example.com');
    const free = await ask();
    const taken = await ask('grace@example.com');
    expect({ ...taken, email: '' }).to.deep.equal({ ...free, email: '' });
    await settle();
    const last = mails.filter(({ to }) => to === 'grace@example.com').at(-1);
    expect(last?.subject).not.to.include('new');
    expect(await rejectionOf(() => confirm('000000'))).to.include({ code: 'invalid_code' });
  });

  it('goes to whoever verifies the address first; a registration that nobody verified gives way', async () => {
    const { ask, accounts, codeTo, confirm } = await owner();
    await ask();
    const code = await codeTo(NEW);
    await accounts.register({ email: NEW, password: NEXT }, caller);
    expect(await confirm(code)).to.have.property('email', NEW);
    expect(await accounts.logIn({ email: NEW, password }, caller)).to.have.property('token');
  });

  it('is refused when another account has verified the address meanwhile', async () => {
    const { ask, codeTo, confirm, signUp, who } = await owner();
    await ask();
    const code = await codeTo(NEW);
    await signUp(NEW);
    expect(await rejectionOf(() => confirm(code))).to.include({ code: 'email_taken' });
    expect((await who()).user.email).to.equal(OLD);
  });

  it('can be asked for five times a day, and not while three can be taken back', async () => {
    const { ask, change, ports } = await owner();
    for (const place of [1, 2, 3]) await change(`n${place}@example.com`);
    const refusal = await rejectionOf(() => ask('n4@example.com'));
    expect(refusal).to.include({ code: 'email_change_held' });
    expect(String(refusal)).not.to.include('wrong');
    await ports.attempts.removeUnder('email-changes:');
    expect(await rejectionOf(() => ask('n4@example.com'))).to.include({ code: 'email_change_held' });
  });

  it('is in the audit log without an address', async () => {
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
