import { expect } from 'chai';
import { makePasskeys } from '../../../../adapters/authenticators/passkeys.ts';
import type { Principal } from '../../../../core/index.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { makeAuthenticator } from '../../../support/passkeys/authenticator.ts';
import { provider, providerIdentity } from '../../../support/scripted-providers.ts';
import { caller, openPorts } from '../open-core.ts';
import { linkTokenOf, openProviderFlow } from './provider-flow.ts';

const EMAIL = 'ada@example.com';
const ORIGIN = 'https://app.example.com';

/** A session of a thief with prepared calls, after the owner has reset the password. */
const open = async () => {
  const core = openPorts();
  const passkeys = makePasskeys({ id: 'example.com', origins: [ORIGIN] });
  const context = await openProviderFlow([provider()], { ...core, ports: { ...core.ports, passkeys } });
  const { accounts, providers } = context;
  const { principal, id } = await context.signUp(EMAIL);
  const device = makeAuthenticator(ORIGIN);
  const make = async (by: Principal) => {
    const { options, flow } = await accounts.passkeys.begin(by, caller);
    return { flow, credential: device.create(options as never).answer as never };
  };
  const owner = await principal();
  const { passkey } = await accounts.passkeys.register(owner, await make(owner), caller);
  await providers.confirmLink(
    await principal(),
    await context.linkFlow(owner, providerIdentity({ subject: 'first' })),
    caller,
  );
  const linkToken = linkTokenOf(
    await rejectionOf(() => context.signIn(providerIdentity({ subject: 'second' }))),
  );
  const flow = await context.linkFlow(owner, providerIdentity({ subject: 'third' }));
  const thief = await principal();
  const registration = await make(thief);

  await accounts.requestPasswordReset({ email: EMAIL }, caller);
  const code = await context.codeTo(EMAIL);
  await accounts.confirmPasswordReset({ email: EMAIL, code, newPassword: 'another horse battery' }, caller);
  const account = () => context.account(id);
  return { accounts, providers, thief, passkey, flow, linkToken, registration, account };
};

type Context = Awaited<ReturnType<typeof open>>;

const calls: Readonly<Record<string, (context: Context) => Promise<unknown>>> = {
  'removes a passkey': ({ accounts, thief, passkey }) => accounts.passkeys.remove(thief, passkey.id, caller),
  'adds a passkey': ({ accounts, thief, registration }) =>
    accounts.passkeys.register(thief, registration, caller),
  'makes passkeys the second factor': ({ accounts, thief }) =>
    accounts.passkeys.configureFactor(thief, { enable: true }, caller),
  'removes an identity': ({ providers, thief }) =>
    providers.unlink(thief, { provider: 'example', providerAccountId: 'first' }, caller),
  'adds the identity of a flow': ({ providers, thief, flow }) => providers.confirmLink(thief, flow, caller),
  'adds the identity of a link token': ({ providers, thief, linkToken }) =>
    providers.confirmLink(thief, { linkToken }, caller),
};

describe('A session that a password reset ends during its call', () => {
  for (const [what, call] of Object.entries(calls))
    it(`no longer ${what}`, async () => {
      const context = await open();
      const before = await context.account();
      expect(await rejectionOf(() => call(context))).to.include({
        kind: 'unauthenticated',
        code: 'invalid_token',
      });
      const after = await context.account();
      expect(after.passkeys).to.deep.equal(before.passkeys).and.have.length(1);
      expect(after.oauthAccounts).to.deep.equal(before.oauthAccounts).and.have.length(1);
      expect(after.twoFactor).to.equal(null);
    });
});
