import { expect } from 'chai';
import { createAccountsClient } from '../../../servers/client/index.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { type User, useService } from '../../support/service.ts';
import { openPage } from '../accounts/cookies/jar.ts';
import { makeStorage } from './storage.ts';

const returnTo = 'https://app.example.com/signed-in';

describe('The client’s sign-in at the hosted pages', () => {
  const service = useService({ SIGN_IN_REDIRECTS: returnTo });
  const open = () => createAccountsClient({ baseUrl: service().url });

  /** Signs in and authorizes the app as the page does. Returns the address to which the browser is redirected. */
  const authorize = async (address: string, user: Pick<User, 'email' | 'password'>) => {
    const query = new URL(address).searchParams;
    const page = openPage(service());
    await page.logIn(user);
    const { body } = await page.post('handover', {
      returnTo: query.get('return_to'),
      codeChallenge: query.get('code_challenge'),
    });
    const callback = new URLSearchParams({ code: String(body.code), state: query.get('state') ?? '' });
    return { href: `${returnTo}?${callback}` };
  };

  it('returns the address of a page, and signs the app in with the callback', async () => {
    const user = await service().signUp();
    const accounts = open();
    const storage = makeStorage();
    const address = await accounts.signInUrl({ returnTo, page: 'sign-up', languages: 'pl en', storage });
    expect(address.startsWith(`${service().url}/account/sign-up?`)).to.equal(true);
    expect(new URL(address).searchParams.get('ui_locales')).to.equal('pl en');
    expect((await fetch(address)).status).to.equal(200);

    const completed = await accounts.completeSignIn(await authorize(address, user), { storage });
    expect(completed?.data?.user.id).to.equal(user.id);
    const { data } = await accounts.GET('/api/auth/me');
    expect(data?.user.email).to.equal(user.email);
  });

  it('ignores addresses without a code and state, and refuses an unknown state', async () => {
    const accounts = open();
    expect(await accounts.completeSignIn({ href: returnTo })).to.equal(undefined);
    expect(await accounts.completeSignIn({ href: `${returnTo}?code=x` })).to.equal(undefined);
    const unknown = await accounts.completeSignIn({ href: `${returnTo}?code=x&state=y` });
    expect(unknown?.error?.code).to.equal('state_unknown');
  });

  it('returns the service’s error for an expired code, and refuses to complete a flow twice', async () => {
    const user = await service().signUp();
    const accounts = open();
    const storage = makeStorage();
    const callback = await authorize(await accounts.signInUrl({ returnTo, storage }), user);
    service().clock.advance(60_000);
    expect((await accounts.completeSignIn(callback, { storage }))?.error?.code).to.equal('invalid_code');
    expect((await accounts.completeSignIn(callback, { storage }))?.error?.code).to.equal('state_unknown');
  });

  it('rejects an unknown page with `invalid_request`', async () => {
    const error = await rejectionOf(() => open().signInUrl({ returnTo, page: 'profile' } as never));
    expect(error).to.include({ code: 'invalid_request' });
  });
});
