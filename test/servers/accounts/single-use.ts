import { expect } from 'chai';
import { race } from '../../contracts/race.ts';
import type { Ask, Reply, User } from '../../support/service.ts';
import { BEHIND, inContestedRounds, insist, isHashedTooLate, refuseStarved } from './behind.ts';
import { codeAt } from './second-factor/factor.ts';

const AT_ONCE = 50;
const STEP = 30_000;
const password = 'correct horse battery';
const newPassword = 'another horse battery';

/** A service that is raced for, behind one address or several. */
export interface Raced {
  /** Each call goes to the next of its addresses. */
  post(path: string, body: unknown, given?: Ask): Promise<Reply>;
  codeFor(email: string): Promise<string>;
  resetCodeFor(email: string): Promise<string>;
  now(): number;
}

let made = 0;

/** What was answered, by status: `{200: 1, 401: 49}`. */
const tally = (replies: readonly Reply[]): Readonly<Record<number, number>> => {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

/** Of many passwords of one account at a time, the hasher may refuse some, and others are held. */
const HASHER_REFUSALS = [401, 429];

/** Exactly one got through, and the others were refused as the contract says, none by a failure of ours. */
const expectOne = (replies: readonly Reply[], refusals: readonly number[] = [401]) => {
  refuseStarved(replies);
  const { 200: won, ...refused } = tally(replies.filter((reply) => !isHashedTooLate(reply)));
  expect(won, JSON.stringify(tally(replies))).to.equal(1);
  const known = [...refusals, ...BEHIND].map(String);
  expect(known, JSON.stringify(tally(replies))).to.include.members(Object.keys(refused));
};

/** The suite: of any number of parallel uses of what is good once, exactly one succeeds. */
export const describeSingleUses = (open: () => Raced): void => {
  describe(`of ${AT_ONCE} parallel uses`, () => {
    const post: Raced['post'] = (...given) => open().post(...given);
    const prepare: Raced['post'] = (...given) => insist(() => post(...given));
    const register = async () => {
      made += 1;
      const email = `racer${made}@example.com`;
      await prepare('/api/auth/register', { email, password });
      return { email, code: await open().codeFor(email) };
    };
    const signUp = async (): Promise<User> => {
      const { email, code } = await register();
      const { body } = await prepare('/api/auth/verify-email', { email, code, password });
      const { token, refreshToken, user } = body;
      return {
        id: String(user?.id),
        email,
        password,
        token: String(token),
        refreshToken: String(refreshToken),
      };
    };
    /** A user with a second factor, and a code of the step after the one that switching it on used up. */
    const signUpWithFactor = async () => {
      const user = await signUp();
      const { token } = user;
      const secret = String((await prepare('/api/auth/2fa', { enable: true }, { token })).body.secret);
      const now = open().now();
      const { body } = await prepare(
        '/api/auth/2fa',
        { enable: true, verificationCode: codeAt(secret, now), secret },
        { token },
      );
      const recoveryCodes = Array.from(body.recoveryCodes as unknown as Iterable<string>);
      return { user, secret, recoveryCodes, code: codeAt(secret, now + STEP) };
    };
    const pendingFor = async ({ email }: User) =>
      String((await prepare('/api/auth/login', { email, password })).body.pendingToken);

    it('of a refresh token one succeeds, and its successor is good', () =>
      inContestedRounds(async () => {
        const { refreshToken } = await signUp();
        const replies = await race(AT_ONCE, () => post('/api/auth/refresh', { refreshToken }));

        expectOne(replies);
        const successor = replies.find(({ status }) => status === 200)?.body.refreshToken;
        expect((await prepare('/api/auth/refresh', { refreshToken: successor })).status).to.equal(200);
      }));

    it('of a verification code one succeeds', () =>
      inContestedRounds(async () => {
        const { email, code } = await register();
        const replies = await race(AT_ONCE, () => post('/api/auth/verify-email', { email, code, password }));

        expectOne(replies, HASHER_REFUSALS);
      }));

    it('of a TOTP code at login one succeeds', () =>
      inContestedRounds(async () => {
        const { user, code } = await signUpWithFactor();
        const { email } = user;
        const replies = await race(AT_ONCE, () =>
          post('/api/auth/login', { email, password, verificationCode: code }),
        );

        expectOne(replies, HASHER_REFUSALS);
      }));

    it('of a TOTP code one succeeds, wherever it is sent', () =>
      inContestedRounds(async () => {
        const { user, code: verificationCode } = await signUpWithFactor();
        const { email, token } = user;
        const uses = [
          () => post('/api/auth/login', { email, password, verificationCode }),
          () => post('/api/auth/2fa/recovery-codes', { verificationCode }, { token }),
          () =>
            post(
              '/api/auth/password',
              { currentPassword: password, newPassword, verificationCode },
              { token },
            ),
        ];

        const replies = await race(AT_ONCE, async (place) => (await uses[place % uses.length]?.()) as Reply);
        expectOne(replies, HASHER_REFUSALS);
      }));

    it('of a recovery code one succeeds', () =>
      inContestedRounds(async () => {
        const { user, recoveryCodes } = await signUpWithFactor();
        const [verificationCode] = recoveryCodes;
        const replies = await race(AT_ONCE, () =>
          post('/api/auth/login', { email: user.email, password, verificationCode }),
        );

        expectOne(replies, HASHER_REFUSALS);
      }));

    it('of a pending token one succeeds, though each comes with another code', () =>
      inContestedRounds(async () => {
        const { user, recoveryCodes, code } = await signUpWithFactor();
        const pendingToken = await pendingFor(user);
        const codes = [code, ...recoveryCodes];
        const replies = await race(AT_ONCE, (place) =>
          post('/api/auth/login', {
            email: user.email,
            pendingToken,
            verificationCode: codes[place % codes.length],
          }),
        );

        expectOne(replies);
      }));

    it('of a reset code one succeeds', () =>
      inContestedRounds(async () => {
        const { email } = await signUp();
        await prepare('/api/auth/password-reset', { email });
        const code = await open().resetCodeFor(email);
        const replies = await race(AT_ONCE, (place) =>
          post('/api/auth/password-reset/confirm', { email, code, newPassword: `${newPassword} ${place}` }),
        );

        expectOne(replies, HASHER_REFUSALS);
        const winner = replies.findIndex(({ status }) => status === 200);
        const login = await prepare('/api/auth/login', { email, password: `${newPassword} ${winner}` });
        expect(login.status).to.equal(200);
      }));

    it('of what switches two-factor authentication on one succeeds', () =>
      inContestedRounds(async () => {
        const { token } = await signUp();
        const secret = String((await prepare('/api/auth/2fa', { enable: true }, { token })).body.secret);
        const body = { enable: true, verificationCode: codeAt(secret, open().now()), secret };

        expectOne(await race(AT_ONCE, () => post('/api/auth/2fa', body, { token })), [409]);
      }));

    it('of a wrong two-factor code five are looked at, the others held', () =>
      inContestedRounds(async () => {
        const { user, secret } = await signUpWithFactor();
        const right = [-2, -1, 0, 1, 2, 3].map((steps) => codeAt(secret, open().now() + steps * STEP));
        const wrong = ['000000', '111111', '222222', '333333', '444444', '555555', '666666'].find(
          (code) => !right.includes(code),
        );
        const replies = await race(AT_ONCE, () =>
          post('/api/auth/login', { email: user.email, password, verificationCode: wrong }),
        );

        const hashed = replies.filter((reply) => !isHashedTooLate(reply));
        const { 401: looked = 0, 429: held = 0, ...others } = tally(hashed);
        expect(BEHIND.map(String), JSON.stringify(tally(replies))).to.include.members(Object.keys(others));
        if (looked + held < AT_ONCE) expect(looked).to.be.at.most(5);
        else expect([looked, held]).to.deep.equal([5, AT_ONCE - 5]);
      }));
  });
};
