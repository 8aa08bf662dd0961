import { expect } from 'chai';
import { providerIdentity } from '../../../support/scripted-providers.ts';
import { openProviderFlow, tokenOf } from './provider-flow.ts';

const EMAIL = 'ada@example.com';

/** Emails that normalization changes. A mailbox in the provider's spelling may belong to another person. */
const SPELLINGS = [
  '\uff41da@example.com',
  '\u212aate@example.com',
  '\ufb01@example.com',
  'ada@fa\u00df.example',
  'ada@\uff45xample.com',
];

describe('An email that the provider has verified', () => {
  for (const email of SPELLINGS)
    it(`creates no account if normalization changes it: ${JSON.stringify(email)}`, async () => {
      const { signIn, accountAt } = await openProviderFlow();
      const emailStep = await signIn(providerIdentity({ email }));
      if (!('requiresEmail' in emailStep)) throw new Error('The sign-in asked for no email.');
      expect(emailStep.email).to.match(/^[!-~]+$/);
      expect(await accountAt(emailStep.email ?? '')).to.equal(undefined);
    });

  it('opens and links no account if normalization changes it', async () => {
    const { signIn, signUp, accountAt } = await openProviderFlow();
    await signUp(EMAIL);
    expect(await signIn(providerIdentity({ email: SPELLINGS[0] as string }))).to.include({
      requiresEmail: true,
    });
    expect((await accountAt(EMAIL))?.oauthAccounts).to.deep.equal([]);
  });

  it('is accepted in ASCII in any case', async () => {
    const { signIn, accounts } = await openProviderFlow();
    const { user } = await accounts.authenticate(
      tokenOf(await signIn(providerIdentity({ email: ' ADA@Example.COM ' }))),
    );
    expect(user.email).to.equal(EMAIL);
  });
});
