import { expect } from 'chai';
import { NOW } from '../../contracts/samples.ts';
import { person } from '../../support/scripted-providers.ts';
import { by } from './admin/open-operated.ts';
import { caller, codeOf, password } from './open-core.ts';
import { openWithPasskeys } from './open-with-passkeys.ts';
import { newHalf, setOut } from './providers/provider-flow.ts';
import { newPassword, pendingIn, tokensIn } from './use-people.ts';

const EMAIL = 'ada@example.com';
const NEW = 'new@example.com';
const MINUTE = 60_000;
const DAY = 86_400_000;

const openGround = async () => {
  const opened = await openWithPasskeys({}, { clock: { now: () => NOW } });
  return { ...opened, ...(await opened.signUp(EMAIL)) };
};
type Ground = Awaited<ReturnType<typeof openGround>>;

interface Span {
  /** The milliseconds after which the call is no longer what it was. */
  readonly after: number;
  /** Begins the span; gives the call that is made at its end. */
  readonly begin: (ground: Ground) => Promise<() => Promise<unknown>>;
  /** The codes of the call before the end and at it. */
  readonly before?: string;
  readonly atEnd: string;
}

const recoveryCodes = async ({ who, turnOnFactor }: Ground) => (await turnOnFactor({ who })).recoveryCodes;

const SPANS: Readonly<Record<string, Span>> = {
  'the code of a registration': {
    after: 15 * MINUTE,
    begin: async ({ accounts, codeTo }) => {
      await accounts.register({ email: NEW, password }, caller);
      const code = await codeTo(NEW);
      return () => accounts.verifyEmail({ email: NEW, code }, caller);
    },
    atEnd: 'invalid_code',
  },
  'the code of a new password': {
    after: 10 * MINUTE,
    begin: async ({ accounts, codeTo }) => {
      await accounts.requestPasswordReset({ email: EMAIL }, caller);
      const code = await codeTo(EMAIL);
      return () => accounts.confirmPasswordReset({ email: EMAIL, code, newPassword }, caller);
    },
    atEnd: 'invalid_code',
  },
  'the code of a new email': {
    after: 15 * MINUTE,
    begin: async ({ accounts, codeTo, who }) => {
      await accounts.askEmailChange(await who(), { email: NEW }, caller);
      const code = await codeTo(NEW);
      return async () => accounts.confirmEmailChange(await who(), { code }, caller);
    },
    atEnd: 'invalid_code',
  },
  'the code that undoes a change of the email': {
    after: 7 * DAY,
    begin: async ({ accounts, codeTo, who }) => {
      await accounts.askEmailChange(await who(), { email: NEW }, caller);
      await accounts.confirmEmailChange(await who(), { code: await codeTo(NEW) }, caller);
      const code = await codeTo(EMAIL);
      return () => accounts.undoEmailChange({ email: EMAIL, code }, caller);
    },
    atEnd: 'invalid_code',
  },
  'the token of a second step': {
    after: 5 * MINUTE,
    begin: async (ground) => {
      const [verificationCode = ''] = await recoveryCodes(ground);
      const pendingToken = pendingIn(await ground.logIn(EMAIL));
      return () => ground.accounts.logIn({ email: EMAIL, pendingToken, verificationCode }, caller);
    },
    atEnd: 'wrong_credentials',
  },
  'the hold after five wrong two-factor codes': {
    after: 15 * MINUTE,
    begin: async (ground) => {
      const [verificationCode = ''] = await recoveryCodes(ground);
      for (let time = 0; time < 5; time += 1) await codeOf(ground.logIn(EMAIL, { verificationCode: 'x' }));
      return () => ground.logIn(EMAIL, { verificationCode });
    },
    before: 'two_factor_held',
    atEnd: 'done',
  },
  'the setup of a second factor': {
    after: 15 * MINUTE + 1,
    begin: async ({ accounts, who }) => {
      const setup = await accounts.configureTwoFactor(await who(), { enable: true }, caller);
      const secret = 'secret' in setup ? setup.secret : '';
      const input = { enable: true, secret, verificationCode: 'x' };
      return async () => accounts.configureTwoFactor(await who(), input, caller);
    },
    before: 'invalid_two_factor_code',
    atEnd: 'two_factor_not_pending',
  },
  'a proof of who it is': {
    after: 10 * MINUTE + 1,
    begin:
      async ({ passkeys, who }) =>
      async () =>
        passkeys.begin(await who(), caller),
    atEnd: 'fresh_authentication_needed',
  },
  'a ban': {
    after: DAY,
    begin: async ({ accounts, id, logIn, operate }) => {
      await operate.ban(id, { reason: 'odd', until: NOW + DAY }, by());
      const { token } = tokensIn(await logIn(EMAIL));
      return () => accounts.authenticate(token);
    },
    before: 'account_banned',
    atEnd: 'done',
  },
  'a refresh token': {
    after: 30 * DAY,
    begin: async ({ accounts, logIn }) => {
      const { refreshToken } = tokensIn(await logIn(EMAIL));
      return () => accounts.refresh({ refreshToken }, caller);
    },
    atEnd: 'invalid_refresh_token',
  },
  'the ticket of a flow': {
    after: MINUTE,
    begin: async ({ providers, who }) => {
      const { ticket } = await providers.beginProof(await who(), 'example', setOut(newHalf()));
      return () => providers.begin('example', { ticket });
    },
    atEnd: 'invalid_ticket',
  },
  'the flow at a provider': {
    after: 10 * MINUTE,
    begin: async ({ askProvider, providers }) => {
      const request = { ...setOut(newHalf()), challengeMethod: 'S256' };
      const { callback } = await askProvider(person({ subject: 'another' }), request);
      return () => providers.answer('example', callback, caller);
    },
    atEnd: 'flow_lost',
  },
  'the code of a flow': {
    after: MINUTE,
    begin: async ({ providers, travel }) => {
      const { code, verifier } = await travel(person({ email: 'eve@example.com' }));
      return () => providers.exchange({ code, verifier }, caller);
    },
    atEnd: 'invalid_flow',
  },
  'the challenge to a passkey': {
    after: 5 * MINUTE,
    begin: async ({ add, answer, passkeys, who }) => {
      const { credential } = await add({ who });
      const answered = answer(await passkeys.beginLogin(), credential);
      return () => passkeys.logIn(answered, caller);
    },
    atEnd: 'invalid_passkey',
  },
};

describe('To the millisecond', () => {
  for (const [name, { after, begin, before = 'done', atEnd }] of Object.entries(SPANS))
    it(`ends ${name}`, async () => {
      const codes = [];
      for (const wait of [after - 1, after]) {
        const ground = await openGround();
        const call = await begin(ground);
        ground.clock.advance(wait);
        codes.push(await codeOf(call()));
      }
      expect(codes).to.deep.equal([before, atEnd]);
    });
});
