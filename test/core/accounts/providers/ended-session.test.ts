import { expect } from 'chai';
import { makePasskeys } from '../../../../adapters/authenticators/passkeys.ts';
import type { Account, Principal } from '../../../../core/index.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { makeAuthenticator } from '../../../support/passkeys/authenticator.ts';
import { person, provider } from '../../../support/scripted-providers.ts';
import { caller, openPorts } from '../open-core.ts';
import { linkTokenOf, newHalf, openTravel, REDIRECT, STATE } from './provider-flow.ts';

const EMAIL = 'ada@example.com';
const ORIGIN = 'https://app.example.com';

/** What a thief, whom a reset of the password puts out, has got ready. */
const open = async () => {
  const opened = openPorts();
  const passkeys = makePasskeys({ id: 'example.com', origins: [ORIGIN] });
  const travel = await openTravel([provider()], { ...opened, ports: { ...opened.ports, passkeys } });
  const { accounts, providers } = travel;
  const { who, id } = await travel.register(EMAIL);
  const device = makeAuthenticator(ORIGIN);
  const make = async (by: Principal) => {
    const { options, flow } = await accounts.passkeys.begin(by, caller);
    return { flow, credential: device.create(options as never).answer as never };
  };
  const owner = await who();
  const { passkey } = await accounts.passkeys.register(owner, await make(owner), caller);
  const tripFor = async (subject: string) => {
    const half = newHalf();
    const setOut = { redirectUri: REDIRECT, challenge: half.challenge, state: STATE };
    const { ticket } = await providers.beginLink(await who(), 'example', setOut, caller);
    const { code, verifier } = await travel.travel(person({ subject }), half, ticket);
    return { code, verifier };
  };
  await providers.confirmLink(await who(), await tripFor('first'), caller);
  const linkToken = linkTokenOf(await rejectionOf(() => travel.signIn(person({ subject: 'second' }))));
  const trip = await tripFor('third');
  const thief = await who();
  const registration = await make(thief);

  await accounts.requestPasswordReset({ email: EMAIL }, caller);
  const code = /\b[0-9A-Z]{5}-[0-9A-Z]{5}\b/.exec((await travel.mailTo(EMAIL))?.text ?? '')?.[0] ?? '';
  await accounts.confirmPasswordReset({ email: EMAIL, code, newPassword: 'another horse battery' }, caller);
  const account = async (): Promise<Account | undefined> => travel.ports.accounts.find(id);
  return { accounts, providers, thief, passkey, trip, linkToken, registration, account };
};

type Opened = Awaited<ReturnType<typeof open>>;

const calls: Readonly<Record<string, (opened: Opened) => Promise<unknown>>> = {
  'removes a passkey': ({ accounts, thief, passkey }) => accounts.passkeys.remove(thief, passkey.id, caller),
  'adds a passkey': ({ accounts, thief, registration }) =>
    accounts.passkeys.register(thief, registration, caller),
  'makes passkeys the second factor': ({ accounts, thief }) =>
    accounts.passkeys.configureFactor(thief, { enable: true }, caller),
  'removes an identity': ({ providers, thief }) =>
    providers.unlink(thief, { provider: 'example', providerAccountId: 'first' }, caller),
  'adds the identity of a trip': ({ providers, thief, trip }) => providers.confirmLink(thief, trip, caller),
  'adds the identity of a link token': ({ providers, thief, linkToken }) =>
    providers.confirmLink(thief, { linkToken }, caller),
};

describe('A session that a reset of the password ended while its call was on the way', () => {
  for (const [what, call] of Object.entries(calls))
    it(`no longer ${what}`, async () => {
      const opened = await open();
      const before = await opened.account();
      expect(await rejectionOf(() => call(opened))).to.include({
        kind: 'unauthenticated',
        code: 'invalid_token',
      });
      const after = await opened.account();
      expect(after?.passkeys).to.deep.equal(before?.passkeys).and.have.length(1);
      expect(after?.oauthAccounts).to.deep.equal(before?.oauthAccounts).and.have.length(1);
      expect(after?.twoFactor).to.equal(null);
    });
});
