import { expect } from 'chai';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { password } from '../admin/open-admin-accounts.ts';
import { caller } from '../open-core.ts';
import { NEW, OLD, useOwner } from './open-owner.ts';

const HOUR = 3_600_000;
const ONE = 'one@example.com';

describe('Several changes of email', () => {
  const owner = useOwner();

  type Owner = Awaited<ReturnType<typeof owner>>;

  for (const [what, end] of Object.entries({
    'was cancelled': async ({ accounts, principal }: Owner) => accounts.cancelEmailChange(await principal()),
    'was voided by wrong codes': async ({ ask, codeTo, confirm }: Owner) => {
      await ask('second@example.com');
      const wrongCode = (await codeTo('second@example.com')) === '000000' ? '000001' : '000000';
      for (let place = 0; place < 5; place += 1)
        expect(await rejectionOf(() => confirm(wrongCode))).to.include({ code: 'invalid_code' });
    },
  }))
    it(`are undone back to the first request, also if a request ${what} in between`, async () => {
      const context = await owner();
      const { account, ask, change, turnOnFactor, undo } = context;
      await ask('first@example.com');
      await turnOnFactor();
      await end(context);
      await undo(await change());
      expect((await account()).twoFactor).to.equal(null);
    });

  it('are all undone with the first, also if the clock was set back in between', async () => {
    const { accounts, account, change, clock, undo, principal } = await owner();
    const first = await change(ONE);
    clock.advance(-HOUR);
    await accounts.reauthenticate(await principal(), { password }, caller);
    const second = await change('two@example.com');
    clock.advance(HOUR);
    await undo(first);
    expect(await account()).to.deep.include({ email: OLD, formerEmails: [] });
    expect(await rejectionOf(() => undo(second, ONE))).to.include({ code: 'invalid_code' });
  });

  it('are undone one by one, newest first', async () => {
    const { account, change, undo } = await owner();
    const first = await change(ONE);
    const second = await change('two@example.com');
    await undo(second, ONE);
    expect((await account()).email).to.equal(ONE);
    await undo(first);
    expect(await account()).to.deep.include({ email: OLD, formerEmails: [] });
  });

  it('are undone despite an unverified registration of the old address', async () => {
    const { accounts, account, change, undo } = await owner();
    const code = await change();
    await accounts.register({ email: OLD, password: 'the taker of the account' }, caller);
    await undo(code);
    expect((await account()).email).to.equal(OLD);
  });

  it('are shown to operators and exported, without their codes', async () => {
    const { accounts, ask, change, id, operate, principal } = await owner();
    await change(ONE);
    await ask(NEW);
    const view = await operate.showUser(id);
    expect(view.emailChange).to.have.all.keys('to', 'askedAt', 'expiresAt');
    expect(view.emailChange?.to).to.equal(NEW);
    expect(Date.parse(view.emailChange?.expiresAt ?? '')).to.be.greaterThan(0);
    expect(view.formerEmails.map(({ email }) => email)).to.deep.equal([OLD]);
    expect(view.formerEmails[0]).to.have.all.keys('email', 'askedAt', 'until');
    const { user, sessions } = await operate.exportUser(id, { actor: 'operator:cli' });
    expect(user.formerEmails).to.deep.equal(view.formerEmails);
    expect(sessions[0]?.methods).to.deep.equal(['code']);
    expect(Date.parse(sessions[0]?.authenticatedAt ?? '')).to.be.greaterThan(0);
    await accounts.cancelEmailChange(await principal());
    expect((await operate.showUser(id)).emailChange).to.deep.include({ to: NEW, expiresAt: null });
  });

  it('name the time and the IP address of the request in every mail', async () => {
    const { ask, settle, mails } = await owner();
    await ask();
    await settle();
    const requestMails = mails.filter(({ subject }) => subject.includes('email'));
    expect(requestMails.map(({ to }) => to)).to.have.members([NEW, OLD]);
    for (const { text } of requestMails) {
      expect(text).to.match(/When: \d{4}-\d{2}-\d{2} \d{2}:\d{2} UTC/);
      expect(text).to.include(`IP address: ${caller.address}`);
    }
  });
});
