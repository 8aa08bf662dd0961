import { expect } from 'chai';
import { person } from '../../../support/scripted-providers.ts';
import { openTravel, tokenOf } from './provider-flow.ts';

const OURS = 'ada@example.com';

/** Each an email that we spell in another way. A mailbox of the provider's spelling may be somebody else's. */
const SPELLINGS = [
  '\uff41da@example.com',
  '\u212aate@example.com',
  '\ufb01@example.com',
  'ada@fa\u00df.example',
  'ada@\uff45xample.com',
];

describe('The email that a provider vouches for', () => {
  for (const email of SPELLINGS)
    it(`founds no account where ours is another spelling of ${JSON.stringify(email)}`, async () => {
      const { signIn, accountAt } = await openTravel();
      const asked = await signIn(person({ email }));
      if (!('requiresEmail' in asked)) throw new Error('It asked for no email.');
      expect(asked.email).to.match(/^[!-~]+$/);
      expect(await accountAt(asked.email ?? '')).to.equal(undefined);
    });

  it('names no account, and links to none, in another spelling', async () => {
    const { signIn, signUp, accountAt } = await openTravel();
    await signUp(OURS);
    expect(await signIn(person({ email: SPELLINGS[0] as string }))).to.include({ requiresEmail: true });
    expect((await accountAt(OURS))?.oauthAccounts).to.deep.equal([]);
  });

  it('is taken as it is in ASCII, whatever its case', async () => {
    const { signIn, accounts } = await openTravel();
    const { user } = await accounts.authenticate(
      tokenOf(await signIn(person({ email: ' ADA@Example.COM ' }))),
    );
    expect(user.email).to.equal(OURS);
  });
});
