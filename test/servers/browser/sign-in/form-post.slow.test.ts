import { expect } from 'chai';
import { openIdentityProviders } from '../../../../adapters/oidc/identity-providers.ts';
import type { OpenIdSettings } from '../../../../adapters/oidc/provider-settings.ts';
import { useBrowser } from '../../../support/browser.ts';
import { freePort } from '../../../support/free-port.ts';
import { makeRecordingLog } from '../../../support/recording-log.ts';
import {
  openIdentityProvider,
  type TestIdentityProvider,
} from '../../../support/servers/identity-provider.ts';
import { openTestService, type TestService } from '../../../support/service.ts';
import { beginQuery, newPkcePair } from '../../accounts/providers/flows.ts';

const CLIENT = { id: 'client-1', secret: 'the-secret-of-this-test' };
const DONE = 'http://127.0.0.1:9/done';

/** The port with `response_mode=form_post`. */
const withFormPost = (port: ReturnType<typeof openIdentityProviders>): typeof port => ({
  ...port,
  list: port.list.map((provider) => ({ ...provider, formPost: true })),
  begin: async (id, flow) => {
    const { address, issuer } = await port.begin(id, flow);
    return { address: `${address}&response_mode=form_post`, issuer };
  },
});

describe('A cross-site provider with `response_mode=form_post`', () => {
  const browser = useBrowser();
  let staff: TestIdentityProvider;
  let service: TestService;
  let origin: string;

  before(async () => {
    const port = await freePort();
    // With the host `localhost`, the provider at 127.0.0.1 is another site.
    origin = `http://localhost:${port}`;
    const redirectUri = `${origin}/api/auth/providers/staff/callback`;
    const claims = { email: 'ada@staff.example', email_verified: true };
    staff = await openIdentityProvider({ redirectUri, client: CLIENT, claims });
    const settings: OpenIdSettings = {
      ...{ preset: null, id: 'staff', name: 'Staff', issuer: staff.issuer, auth: null },
      ...{ clientId: CLIENT.id, clientSecret: CLIENT.secret, scopes: 'openid email profile' },
      ...{ email: 'claim', signUp: true, picture: false },
    };
    const parts = { clock: { now: Date.now }, log: makeRecordingLog(), redirectUri: () => redirectUri };
    const providers = withFormPost(openIdentityProviders([settings], parts));
    const web = { ACCOUNTS_PORT: String(port), PUBLIC_URL: origin, SIGN_IN_REDIRECTS: DONE };
    service = await openTestService(web, undefined, { providers });
  });
  after(async () => {
    await service?.close();
    await staff?.close();
  });

  it('completes a flow, whose cookie is deleted afterwards', async () => {
    const { verifier, challenge } = newPkcePair();
    const context = await browser().newContext();
    const page = await context.newPage();
    const redirect = page.waitForRequest((request) => request.url().startsWith(DONE));
    const query = beginQuery({ challenge }, { redirectUri: DONE });
    await page.goto(`${origin}/api/auth/providers/staff/begin?${query}`).catch(() => undefined);
    const code = new URL((await redirect).url()).searchParams.get('code');
    expect(await context.cookies(origin)).to.deep.equal([]);
    const { status, body } = await service.post('/api/auth/providers/exchange', { code, verifier });
    expect([status, body.user?.email]).to.deep.equal([200, 'ada@staff.example']);
    await context.close();
    service.checkAnswers();
  });
});
