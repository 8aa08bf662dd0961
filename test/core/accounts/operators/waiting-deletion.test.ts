import { expect } from 'chai';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { sampleTwoFactor } from '../../../contracts/samples.ts';
import { by, password, useAdminAccounts } from '../admin/open-admin-accounts.ts';
import { NEW, OLD, openOwner } from '../email-change/open-owner.ts';
import { caller } from '../open-core.ts';

const CHANGED = 'An operator of Gatehouse was changed';
const DAY = 86_400_000;

describe('The pending deletion of an operator', () => {
  const core = useAdminAccounts();

  const settle = async () => {
    await core().settle();
    while ((await core().accounts.background.deliverMail(1)) > 0);
  };
  /** The texts of new mails to an address about changes of operators. */
  const takeMailsTo = async (email: string): Promise<readonly string[]> => {
    await settle();
    const { mails } = core();
    const texts = mails.flatMap(({ to, subject, text }) =>
      to === email && subject === CHANGED ? [text] : [],
    );
    mails.splice(0);
    return texts;
  };
  /** A founder (eve), and an operator (ada) who has changed the email lately. */
  const signUpUsers = async (role: 'founder' | 'dev') => {
    const eve = await core().signUp('eve@example.com');
    const ada = await openOwner(core());
    await core().operate.appoint(eve.id, 'founder', by());
    await core().operate.appoint(ada.id, role, by());
    const code = await ada.change();
    await takeMailsTo(eve.email);
    return { eve, ada, code };
  };
  const deleteOwn = async ({ accounts, principal }: Awaited<ReturnType<typeof openOwner>>) =>
    accounts.deleteAccount(await principal(), { password }, caller);

  it('is mailed to the founders when it is requested, and not again when it takes effect', async () => {
    const { eve, ada } = await signUpUsers('dev');
    await deleteOwn(ada);
    const [text = '', ...others] = await takeMailsTo(eve.email);
    expect(text).to.include(`Account: ${NEW}`).and.include('Role before: dev');
    expect(text).to.include('Role now: none').and.include(`Changed by: ${NEW}`);
    expect(others).to.deep.equal([]);
    core().clock.advance(7 * DAY);
    expect(await takeMailsTo(eve.email)).to.deep.equal([]);
    expect((await ada.account()).waitingDeletion).to.equal(null);
  });

  it('is mailed to the founders when it is undone with the change of email', async () => {
    const { eve, ada, code } = await signUpUsers('dev');
    await deleteOwn(ada);
    await takeMailsTo(eve.email);
    expect(await ada.undo(code)).to.include({ deletionUndone: true });
    await settle();
    expect(
      core()
        .mails.filter(({ to }) => to === OLD)
        .map(({ subject }) => subject),
    ).to.deep.equal(['You are now an operator of Gatehouse']);
    const [text = '', ...others] = await takeMailsTo(eve.email);
    expect(text).to.include(`Account: ${OLD}`).and.include('Role before: none');
    expect(text).to.include('Role now: dev').and.include(`Changed by: ${OLD}`);
    expect(others).to.deep.equal([]);
  });

  it('is not mentioned to founders if only a change of email is undone', async () => {
    const { eve, ada, code } = await signUpUsers('dev');
    await ada.undo(code);
    expect(await takeMailsTo(eve.email)).to.deep.equal([]);
  });

  it('counts the founder no longer among those who can enter the console', async () => {
    const { eve, ada } = await signUpUsers('founder');
    await core().edit(eve.id, { twoFactor: sampleTwoFactor });
    const fay = await core().signUp('fay@example.com');
    await core().operate.appoint(fay.id, 'founder', by());
    await deleteOwn(ada);
    const dismiss = () => core().operate.dismiss(eve.id, { actor: fay.id });
    expect(await rejectionOf(dismiss)).to.include({ code: 'last_founder' });
  });
});
