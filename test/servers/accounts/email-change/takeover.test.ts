import { expect } from 'chai';
import { useRecords } from '../../../support/records.ts';
import { type Ask, type User, useService } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import { logIn, logInAgain, makeApp, me, signUpWithFactor, turnOnFactor } from '../second-factor/factor.ts';

const DAY = 86_400_000;
const TAKERS = 'the taker of the account';
const NEWER = 'the owner of the account';

let made = 0;

describe('A taken account', () => {
  const service = useService();
  const records = useRecords(service);

  const post = (path: string, body: unknown, given: Ask = {}) =>
    service().post(`/api/auth/${path}`, body, given);
  /** The newest code in a mail to an address that has these words. */
  const codeIn = async (to: string, words: string): Promise<string> => {
    const found = () => service().mails.findLast((mail) => mail.to === to && mail.text.includes(words));
    await until(() => found() !== undefined);
    return /^ {4}(\S+)$/m.exec(found()?.text ?? '')?.[1] ?? '';
  };
  const askedCode = (email: string) => codeIn(email, '15 minutes');
  const undoCode = (email: string) => codeIn(email, '7 days');
  const resetCode = (email: string) => codeIn(email, '10 minutes');
  const resetBy = async (email: string, newPassword: string) => {
    await post('password-reset', { email });
    return post('password-reset/confirm', { email, code: await resetCode(email), newPassword });
  };
  /** Moves the account to another email by a token; gives the code that takes it back. */
  const moveTo = async (to: string, from: string, token: string): Promise<string> => {
    await post('email', { email: to }, { token });
    const { status } = await post('email/confirm', { code: await askedCode(to) }, { token });
    expect(status).to.equal(200);
    return undoCode(from);
  };
  const taken = () => {
    made += 1;
    return [`taker${made}@example.org`, `taker${made}@example.net`] as const;
  };

  it('is the owner’s alone again on the sixth day, whatever the taker did meanwhile', async () => {
    const owner = await service().signUp();
    const [first, second] = taken();
    const undo = await moveTo(first, owner.email, owner.token);
    // All that a taker can think of: a password, a factor, a session, another address, codes on the way.
    expect((await resetBy(first, TAKERS)).status).to.equal(200);
    const taker: User = { ...owner, email: first, password: TAKERS };
    const session = await logInAgain(service(), taker);
    const laterUndo = await moveTo(second, first, session.token);
    const app = await turnOnFactor(service(), session);
    await records().change(second, {
      oauthAccounts: [
        {
          provider: 'idp',
          providerAccountId: 'taker',
          email: first,
          createdAt: new Date(service().clock.now()).toISOString(),
        },
      ],
    });
    service().clock.advance(6 * DAY);
    const again = { ...taker, email: second };
    const { body: challenge } = await logIn(service(), again);
    const { body: entered } = await logIn(service(), again, { verificationCode: app.fresh() });
    const token = String(entered.token);
    await post('email', { email: 'third@example.org' }, { token });
    const asked = await askedCode('third@example.org');
    await post('password-reset', { email: second });
    const reset = await resetCode(second);

    expect((await post('email/undo', { email: owner.email, code: undo })).status).to.equal(200);

    const { pendingToken } = challenge;
    for (const [path, body, by] of [
      ['refresh', { refreshToken: entered.refreshToken }],
      ['refresh', { refreshToken: session.refreshToken }],
      ['login', { email: second, pendingToken, verificationCode: app.fresh() }],
      ['login', { email: owner.email, pendingToken, verificationCode: app.code() }],
      ...[owner.email, first, second].map(
        (email) => ['login', { email, password: TAKERS, verificationCode: app.recoveryCodes[0] }] as const,
      ),
      ...[owner.email, second].map(
        (email) => ['password-reset/confirm', { email, code: reset, newPassword: TAKERS }] as const,
      ),
      ['email/confirm', { code: asked }, token],
      ['email/undo', { email: first, code: laterUndo }],
      ['email/undo', { email: owner.email, code: undo }],
    ] as const) {
      const given = by === undefined ? {} : { token: by };
      expect((await post(path, body, given)).status, `${path} ${JSON.stringify(body)}`).to.equal(401);
    }
    expect(await me(service(), token)).to.equal(401);
    const mails = service().mails.length;
    await post('password-reset', { email: second });

    // The owner, by the mailbox alone: the taker's password is gone, and so is the factor.
    expect((await logIn(service(), owner)).status).to.equal(401);
    expect((await resetBy(owner.email, NEWER)).status).to.equal(200);
    expect(
      service()
        .mails.slice(mails)
        .every(({ to }) => to === owner.email),
    ).to.equal(true);
    const { body, status } = await logIn(service(), { ...owner, password: NEWER });
    expect(status).to.equal(200);
    const { user } = (await service().request('GET', '/api/auth/me', { token: String(body.token) })).body;
    expect(user).to.deep.include({ email: owner.email, twoFactorEnabled: false, oauthAccounts: [] });
    expect(await records().accountOf(owner.email)).to.deep.include({ formerEmails: [], emailChange: null });
  });

  it('is the owner’s with the password and second factor of before, where the taker changed neither', async () => {
    const { user: owner, app } = await signUpWithFactor(service());
    const [first] = taken();
    // A session of its own: what the one that changes the email has added goes with the change.
    const taker = await logIn(service(), owner, { verificationCode: app.fresh() });
    const undo = await moveTo(first, owner.email, String(taker.body.token));
    service().clock.advance(6 * DAY);
    expect((await post('email/undo', { email: owner.email, code: undo })).status).to.equal(200);
    expect((await logIn(service(), owner)).body.requires2FA).to.equal(true);
    const verificationCode = makeApp(service(), app.secret).fresh();
    expect((await logIn(service(), owner, { verificationCode })).status).to.equal(200);
    expect((await logIn(service(), { ...owner, email: first }, { verificationCode })).status).to.equal(401);
  });

  it('stays where it is from the eighth day on', async () => {
    const owner = await service().signUp();
    const [first] = taken();
    const undo = await moveTo(first, owner.email, owner.token);
    service().clock.advance(7 * DAY + 1_000);
    const late = await post('email/undo', { email: owner.email, code: undo });
    expect([late.status, late.body.code]).to.deep.equal([401, 'invalid_code']);
    expect((await logIn(service(), { ...owner, email: first })).status).to.equal(200);
  });
});
