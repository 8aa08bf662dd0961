import { expect } from 'chai';
import { NOW } from '../../contracts/samples.ts';
import { providerIdentity } from '../../support/scripted-providers.ts';
import { by } from './admin/open-admin-accounts.ts';
import { newPassword, pendingTokenIn, tokensIn } from './open-accounts.ts';
import { caller, codeOf, password } from './open-core.ts';
import { openWithPasskeys } from './open-with-passkeys.ts';
import { authorizationRequest, newPkce } from './providers/provider-flow.ts';

const EMAIL = 'ada@example.com';
const NEW = 'new@example.com';
const MINUTE = 60_000;
const DAY = 86_400_000;

const openContext = async () => {
  const core = await openWithPasskeys({}, { clock: { now: () => NOW } });
  return { ...core, ...(await core.signUp(EMAIL)) };
};
type Context = Awaited<ReturnType<typeof openContext>>;

interface Lifetime {
  readonly afterMs: number;
  /** Creates the object with the lifetime, and returns a call whose outcome changes when it expires. */
  readonly begin: (context: Context) => Promise<() => Promise<unknown>>;
  /** The code of the call a millisecond before the expiry; `done` if absent. */
  readonly before?: string;
  readonly atExpiry: string;
}

const recoveryCodes = async ({ principal, turnOnFactor }: Context) =>
  (await turnOnFactor({ principal })).recoveryCodes;

const LIFETIMES: Readonly<Record<string, Lifetime>> = {
  'the code of a registration': {
    afterMs: 15 * MINUTE,
    begin: async ({ accounts, codeTo }) => {
      await accounts.register({ email: NEW, password }, caller);
      const code = await codeTo(NEW);
      return () => accounts.verifyEmail({ email: NEW, code }, caller);
    },
    atExpiry: 'invalid_code',
  },
  'the code of a password reset': {
    afterMs: 10 * MINUTE,
    begin: async ({ accounts, codeTo }) => {
      await accounts.requestPasswordReset({ email: EMAIL }, caller);
      const code = await codeTo(EMAIL);
      return () => accounts.confirmPasswordReset({ email: EMAIL, code, newPassword }, caller);
    },
    atExpiry: 'invalid_code',
  },
  'the code of an email change': {
    afterMs: 15 * MINUTE,
    begin: async ({ accounts, codeTo, principal }) => {
      await accounts.askEmailChange(await principal(), { email: NEW }, caller);
      const code = await codeTo(NEW);
      return async () => accounts.confirmEmailChange(await principal(), { code }, caller);
    },
    atExpiry: 'invalid_code',
  },
  'the undo code of an email change': {
    afterMs: 7 * DAY,
    begin: async ({ accounts, codeTo, principal }) => {
      await accounts.askEmailChange(await principal(), { email: NEW }, caller);
      await accounts.confirmEmailChange(await principal(), { code: await codeTo(NEW) }, caller);
      const code = await codeTo(EMAIL);
      return () => accounts.undoEmailChange({ email: EMAIL, code }, caller);
    },
    atExpiry: 'invalid_code',
  },
  'the pending token of a sign-in': {
    afterMs: 5 * MINUTE,
    begin: async (context) => {
      const [verificationCode = ''] = await recoveryCodes(context);
      const pendingToken = pendingTokenIn(await context.logIn(EMAIL));
      return () => context.accounts.logIn({ email: EMAIL, pendingToken, verificationCode }, caller);
    },
    atExpiry: 'wrong_credentials',
  },
  'the lockout after five wrong two-factor codes': {
    afterMs: 15 * MINUTE,
    begin: async (context) => {
      const [verificationCode = ''] = await recoveryCodes(context);
      for (let time = 0; time < 5; time += 1) await codeOf(context.logIn(EMAIL, { verificationCode: 'x' }));
      return () => context.logIn(EMAIL, { verificationCode });
    },
    before: 'two_factor_held',
    atExpiry: 'done',
  },
  'the pending setup of a second factor': {
    afterMs: 15 * MINUTE + 1,
    begin: async ({ accounts, principal }) => {
      const setup = await accounts.configureTwoFactor(await principal(), { enable: true }, caller);
      const secret = 'secret' in setup ? setup.secret : '';
      const input = { enable: true, secret, verificationCode: 'x' };
      return async () => accounts.configureTwoFactor(await principal(), input, caller);
    },
    before: 'invalid_two_factor_code',
    atExpiry: 'two_factor_not_pending',
  },
  'a fresh authentication': {
    afterMs: 10 * MINUTE + 1,
    begin:
      async ({ passkeys, principal }) =>
      async () =>
        passkeys.begin(await principal(), caller),
    atExpiry: 'fresh_authentication_needed',
  },
  'a ban': {
    afterMs: DAY,
    begin: async ({ accounts, id, logIn, operate }) => {
      await operate.ban(id, { reason: 'odd', until: NOW + DAY }, by());
      const { token } = tokensIn(await logIn(EMAIL));
      return () => accounts.authenticate(token);
    },
    before: 'account_banned',
    atExpiry: 'done',
  },
  'a refresh token': {
    afterMs: 30 * DAY,
    begin: async ({ accounts, logIn }) => {
      const { refreshToken } = tokensIn(await logIn(EMAIL));
      return () => accounts.refresh({ refreshToken }, caller);
    },
    atExpiry: 'invalid_refresh_token',
  },
  'the ticket of a flow': {
    afterMs: MINUTE,
    begin: async ({ providers, principal }) => {
      const { ticket } = await providers.beginProof(
        await principal(),
        'example',
        authorizationRequest(newPkce()),
      );
      return () => providers.begin('example', { ticket });
    },
    atExpiry: 'invalid_ticket',
  },
  'the flow at a provider': {
    afterMs: 10 * MINUTE,
    begin: async ({ askProvider, providers }) => {
      const request = { ...authorizationRequest(newPkce()), challengeMethod: 'S256' };
      const { callback } = await askProvider(providerIdentity({ subject: 'another' }), request);
      return () => providers.answer('example', callback, caller);
    },
    atExpiry: 'flow_lost',
  },
  'the code of a flow': {
    afterMs: MINUTE,
    begin: async ({ providers, runFlow }) => {
      const { code, verifier } = await runFlow(providerIdentity({ email: 'eve@example.com' }));
      return () => providers.exchange({ code, verifier }, caller);
    },
    atExpiry: 'invalid_flow',
  },
  'a passkey challenge': {
    afterMs: 5 * MINUTE,
    begin: async ({ add, answer, passkeys, principal }) => {
      const { credential } = await add({ principal });
      const assertion = answer(await passkeys.beginLogin(), credential);
      return () => passkeys.logIn(assertion, caller);
    },
    atExpiry: 'invalid_passkey',
  },
};

describe('The lifetime', () => {
  for (const [name, { afterMs, begin, before = 'done', atExpiry }] of Object.entries(LIFETIMES))
    it(`of ${name} ends at the exact millisecond`, async () => {
      const codes = [];
      for (const waitMs of [afterMs - 1, afterMs]) {
        const context = await openContext();
        const call = await begin(context);
        context.clock.advance(waitMs);
        codes.push(await codeOf(call()));
      }
      expect(codes).to.deep.equal([before, atExpiry]);
    });
});
