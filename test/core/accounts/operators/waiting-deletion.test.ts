import { expect } from 'chai';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { sampleTwoFactor } from '../../../contracts/samples.ts';
import { by, password, useOperated } from '../admin/open-operated.ts';
import { NEW, OLD, openOwner } from '../email-change/open-owner.ts';
import { caller } from '../open-core.ts';

const CHANGED = 'An operator of Gatehouse was changed';
const DAY = 86_400_000;

describe('A deletion that waits, of an operator', () => {
  const operated = useOperated();

  const settle = async () => {
    await operated().settle();
    while ((await operated().accounts.background.deliverMail(1)) > 0);
  };
  /** What a person was mailed about operators since the last look. */
  const takeMailsTo = async (email: string): Promise<readonly string[]> => {
    await settle();
    const { mails } = operated();
    const texts = mails.flatMap(({ to, subject, text }) =>
      to === email && subject === CHANGED ? [text] : [],
    );
    mails.splice(0);
    return texts;
  };
  /** A founder with a second factor, and another operator who changed their email lately. */
  const people = async (role: 'founder' | 'dev') => {
    const eve = await operated().signUp('eve@example.com');
    const ada = await openOwner(operated());
    await operated().operate.appoint(eve.id, 'founder', by());
    await operated().operate.appoint(ada.id, role, by());
    const code = await ada.change();
    await takeMailsTo(eve.email);
    return { eve, ada, code };
  };
  const remove = async ({ accounts, who }: Awaited<ReturnType<typeof openOwner>>) =>
    accounts.deleteAccount(await who(), { password }, caller);

  it('is told to the founders when it is asked for, and not again when it takes effect', async () => {
    const { eve, ada } = await people('dev');
    await remove(ada);
    const [text = '', ...others] = await takeMailsTo(eve.email);
    expect(text).to.include(`Account: ${NEW}`).and.include('Role before: dev');
    expect(text).to.include('Role now: none').and.include(`Changed by: ${NEW}`);
    expect(others).to.deep.equal([]);
    operated().clock.advance(7 * DAY);
    expect(await takeMailsTo(eve.email)).to.deep.equal([]);
    expect((await ada.account()).waitingDeletion).to.equal(null);
  });

  it('is told to them, too, when it is taken back with the change of email', async () => {
    const { eve, ada, code } = await people('dev');
    await remove(ada);
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

  it('tells nobody of the undo of an email change that left the role alone', async () => {
    const { eve, ada, code } = await people('dev');
    await ada.undo(code);
    expect(await takeMailsTo(eve.email)).to.deep.equal([]);
  });

  it('takes the founder from those who can enter the console', async () => {
    const { eve, ada } = await people('founder');
    await operated().edit(eve.id, { twoFactor: sampleTwoFactor });
    const fay = await operated().signUp('fay@example.com');
    await operated().operate.appoint(fay.id, 'founder', by());
    await remove(ada);
    const dismiss = () => operated().operate.dismiss(eve.id, { actor: fay.id });
    expect(await rejectionOf(dismiss)).to.include({ code: 'last_founder' });
  });
});
