import { expect } from 'chai';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { sampleTwoFactor } from '../../../contracts/samples.ts';
import { by, password, useOperated } from '../admin/open-operated.ts';
import { NEW, OLD, openOwner } from '../email-change/open-owner.ts';
import { caller } from '../open-core.ts';

const CHANGED = 'An operator of Gatehouse was changed';
const DAY = 86_400_000;

describe('The pending deletion of an operator', () => {
  const operated = useOperated();

  const settle = async () => {
    await operated().settle();
    while ((await operated().accounts.background.deliverMail(1)) > 0);
  };
  /** The texts of new mails to an address about changes of operators. */
  const takeMailsTo = async (email: string): Promise<readonly string[]> => {
    await settle();
    const { mails } = operated();
    const texts = mails.flatMap(({ to, subject, text }) =>
      to === email && subject === CHANGED ? [text] : [],
    );
    mails.splice(0);
    return texts;
  };
  /** A founder (eve), and an operator (ada) who has changed the email lately. */
  const signUpUsers = async (role: 'founder' | 'dev') => {
    const eve = await operated().signUp('eve@example.com');
    const ada = await openOwner(operated());
    await operated().operate.appoint(eve.id, 'founder', by());
    await operated().operate.appoint(ada.id, role, by());
    const code = await ada.change();
    await takeMailsTo(eve.email);
    return { eve, ada, code };
  };
  const deleteOwn = async ({ accounts, who }: Awaited<ReturnType<typeof openOwner>>) =>
    accounts.deleteAccount(await who(), { password }, caller);

  it('is mailed to the founders when it is requested, and not again when it takes effect', async () => {
    const { eve, ada } = await signUpUsers('dev');
    await deleteOwn(ada);
    const [text = '', ...others] = await takeMailsTo(eve.email);
    expect(text).to.include(`Account: ${NEW}`).and.include('Role before: dev');
    expect(text).to.include('Role now: none').and.include(`Changed by: ${NEW}`);
    expect(others).to.deep.equal([]);
    operated().clock.advance(7 * DAY);
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
      operated()
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
    await operated().edit(eve.id, { twoFactor: sampleTwoFactor });
    const fay = await operated().signUp('fay@example.com');
    await operated().operate.appoint(fay.id, 'founder', by());
    await deleteOwn(ada);
    const dismiss = () => operated().operate.dismiss(eve.id, { actor: fay.id });
    expect(await rejectionOf(dismiss)).to.include({ code: 'last_founder' });
  });
});
