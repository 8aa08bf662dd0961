import { expect } from 'chai';
import { race } from '../../contracts/race.ts';
import type { Reply, RequestOptions, User } from '../../support/service.ts';
import {
  BUSY_STATUSES,
  inContestedRounds,
  insist,
  isHashedTooLate,
  refuseStarved,
} from './contested-rounds.ts';
import { codeAt } from './second-factor/factor.ts';

const AT_ONCE = 50;
const STEP = 30_000;
const password = 'correct horse battery';
const newPassword = 'another horse battery';

/** The service of a race, at one address or several. */
export interface RacedService {
  /** Sends each call to the next address. */
  post(path: string, body: unknown, request?: RequestOptions): Promise<Reply>;
  codeFor(email: string): Promise<string>;
  resetCodeFor(email: string): Promise<string>;
  now(): number;
}

let emailCount = 0;

/** The number of replies by status: `{200: 1, 401: 49}`. */
const countStatuses = (replies: readonly Reply[]): Readonly<Record<number, number>> => {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

/** For parallel passwords of one account: the hasher may refuse some calls, and the lockout others. */
const HASHER_REFUSALS = [401, 429];

/** Expects one success; every other call has one of the refusals, or found the store or the hasher busy. */
const expectOne = (replies: readonly Reply[], refusals: readonly number[] = [401]) => {
  refuseStarved(replies);
  const { 200: successes, ...refused } = countStatuses(replies.filter((reply) => !isHashedTooLate(reply)));
  expect(successes, JSON.stringify(countStatuses(replies))).to.equal(1);
  const expectedStatuses = [...refusals, ...BUSY_STATUSES].map(String);
  expect(expectedStatuses, JSON.stringify(countStatuses(replies))).to.include.members(Object.keys(refused));
};

/** The suite: of parallel uses of a single-use value, exactly one succeeds. */
export const describeSingleUses = (open: () => RacedService): void => {
  describe(`in ${AT_ONCE} parallel calls`, () => {
    const post: RacedService['post'] = (...args) => open().post(...args);
    const prepare: RacedService['post'] = (...args) => insist(() => post(...args));
    const register = async () => {
      emailCount += 1;
      const email = `racer${emailCount}@example.com`;
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
    /** A user with a second factor, and a code of the next step: turning the factor on used up the current one. */
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

    it('accepts a refresh token once, and then its successor', () =>
      inContestedRounds(async () => {
        const { refreshToken } = await signUp();
        const replies = await race(AT_ONCE, () => post('/api/auth/refresh', { refreshToken }));

        expectOne(replies);
        const successor = replies.find(({ status }) => status === 200)?.body.refreshToken;
        expect((await prepare('/api/auth/refresh', { refreshToken: successor })).status).to.equal(200);
      }));

    it('accepts a verification code once', () =>
      inContestedRounds(async () => {
        const { email, code } = await register();
        const replies = await race(AT_ONCE, () => post('/api/auth/verify-email', { email, code, password }));

        expectOne(replies, HASHER_REFUSALS);
      }));

    it('accepts a TOTP code once at login', () =>
      inContestedRounds(async () => {
        const { user, code } = await signUpWithFactor();
        const { email } = user;
        const replies = await race(AT_ONCE, () =>
          post('/api/auth/login', { email, password, verificationCode: code }),
        );

        expectOne(replies, HASHER_REFUSALS);
      }));

    it('accepts a TOTP code once over three routes', () =>
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

    it('accepts a recovery code once', () =>
      inContestedRounds(async () => {
        const { user, recoveryCodes } = await signUpWithFactor();
        const [verificationCode] = recoveryCodes;
        const replies = await race(AT_ONCE, () =>
          post('/api/auth/login', { email: user.email, password, verificationCode }),
        );

        expectOne(replies, HASHER_REFUSALS);
      }));

    it('accepts a pending token once, although each call has another code', () =>
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

    it('accepts a reset code once, and sets the password of that call', () =>
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

    it('turns two-factor authentication on once', () =>
      inContestedRounds(async () => {
        const { token } = await signUp();
        const secret = String((await prepare('/api/auth/2fa', { enable: true }, { token })).body.secret);
        const body = { enable: true, verificationCode: codeAt(secret, open().now()), secret };

        expectOne(await race(AT_ONCE, () => post('/api/auth/2fa', body, { token })), [409]);
      }));

    it('checks five wrong two-factor codes, and refuses the others with 429', () =>
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
        const { 401: checked = 0, 429: locked = 0, ...others } = countStatuses(hashed);
        const busy = BUSY_STATUSES.map(String);
        expect(busy, JSON.stringify(countStatuses(replies))).to.include.members(Object.keys(others));
        if (checked + locked < AT_ONCE) expect(checked).to.be.at.most(5);
        else expect([checked, locked]).to.deep.equal([5, AT_ONCE - 5]);
      }));
  });
};
