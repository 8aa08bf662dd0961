import { expect } from 'chai';
import { createAccountsClient } from '../../../servers/client/index.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { type User, useService } from '../../support/service.ts';
import { openPage } from '../accounts/cookies/jar.ts';
import { makeStorage } from './storage.ts';

const returnTo = 'https://app.example.com/signed-in';

describe('The client’s sign-in at the pages', () => {
  const service = useService({ SIGN_IN_REDIRECTS: returnTo });
  const open = () => createAccountsClient({ baseUrl: service().url });

  /** What the page does for somebody who is signed in: gives where the browser goes on to. */
  const press = async (address: string, user: Pick<User, 'email' | 'password'>) => {
    const asked = new URL(address).searchParams;
    const page = openPage(service());
    await page.logIn(user);
    const { body } = await page.post('handover', {
      returnTo: asked.get('return_to'),
      codeChallenge: asked.get('code_challenge'),
    });
    const query = new URLSearchParams({ code: String(body.code), state: asked.get('state') ?? '' });
    return { href: `${returnTo}?${query}` };
  };

  it('goes to a page of the service that takes it, and logs the app in', async () => {
    const user = await service().signUp();
    const accounts = open();
    const storage = makeStorage();
    const address = await accounts.signInUrl({ returnTo, page: 'sign-up', languages: 'pl en', storage });
    expect(address.startsWith(`${service().url}/account/sign-up?`)).to.equal(true);
    expect(new URL(address).searchParams.get('ui_locales')).to.equal('pl en');
    expect((await fetch(address)).status).to.equal(200);

    const completed = await accounts.completeSignIn(await press(address, user), { storage });
    expect(completed?.data?.user.id).to.equal(user.id);
    const { data } = await accounts.GET('/api/auth/me');
    expect(data?.user.email).to.equal(user.email);
  });

  it('takes up nothing where nothing came back, and nothing that this app has not begun', async () => {
    const accounts = open();
    expect(await accounts.completeSignIn({ href: returnTo })).to.equal(undefined);
    expect(await accounts.completeSignIn({ href: `${returnTo}?code=x` })).to.equal(undefined);
    const strange = await accounts.completeSignIn({ href: `${returnTo}?code=x&state=y` });
    expect(strange?.error?.code).to.equal('state_unknown');
  });

  it('takes up an answer once, and says what was refused', async () => {
    const user = await service().signUp();
    const accounts = open();
    const storage = makeStorage();
    const back = await press(await accounts.signInUrl({ returnTo, storage }), user);
    service().clock.advance(60_000);
    expect((await accounts.completeSignIn(back, { storage }))?.error?.code).to.equal('invalid_code');
    expect((await accounts.completeSignIn(back, { storage }))?.error?.code).to.equal('state_unknown');
  });

  it('says what is wrong about a call', async () => {
    const error = await rejectionOf(() => open().signInUrl({ returnTo, page: 'profile' } as never));
    expect(error).to.include({ code: 'invalid_request' });
  });
});
