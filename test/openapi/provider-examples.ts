import { expect } from 'chai';
import { providerIdentity, type scriptedProviders } from '../support/scripted-providers.ts';
import type { Reply } from '../support/service.ts';
import type { makeExamples } from './examples.ts';

const FORM = 'application/x-www-form-urlencoded';

const cookieOf = ({ headers }: Reply) => headers.getSetCookie()[0]?.split(';')[0] ?? '';
const parameterIn = ({ headers }: Reply, name: string) =>
  new URL(headers.get('location') ?? '').searchParams.get(name) ?? '';

/** Sends the examples of sign-in with providers, for a user who is logged in. */
export const sendProviderExamples = async (
  { send }: ReturnType<typeof makeExamples>,
  { script }: ReturnType<typeof scriptedProviders>,
  token: string,
): Promise<void> => {
  const path = { id: 'google' };
  await send('GET /api/auth/providers');

  const begun = await send('GET /api/auth/providers/{id}/begin');
  const query = {
    state: parameterIn(begun, 'state'),
    code: script(providerIdentity({ provider: 'google', subject: 'new', email: 'by-provider@example.com' })),
  };
  const headers = { Cookie: cookieOf(begun) };
  const back = await send('GET /api/auth/providers/{id}/callback', { path, query, headers });
  await send('POST /api/auth/providers/exchange', { body: { code: parameterIn(back, 'code') } });

  const other = await send('GET /api/auth/providers/{id}/begin');
  const unknown = script(
    providerIdentity({ provider: 'google', subject: 'unknown', email: null, emailVerified: false }),
  );
  const posted = await send('POST /api/auth/providers/{id}/callback', {
    path,
    text: new URLSearchParams({ state: parameterIn(other, 'state'), code: unknown }).toString(),
    headers: { Cookie: cookieOf(other), 'Content-Type': FORM },
  });
  const { body } = await send('POST /api/auth/providers/exchange', {
    body: { code: parameterIn(posted, 'code') },
  });
  const { signUpToken } = body;
  await send('POST /api/auth/providers/sign-up', { body: { signUpToken, email: 'new@example.com' } });

  const link = await send('POST /api/auth/providers/{id}/link', { token });
  const ticket = new URL(String(link.body.url)).searchParams.get('ticket') ?? '';
  const linking = await send('GET /api/auth/providers/{id}/begin', { only: { ticket } });
  const linked = await send('GET /api/auth/providers/{id}/callback', {
    path,
    query: {
      state: parameterIn(linking, 'state'),
      code: script(providerIdentity({ provider: 'google', subject: '1234567890' })),
    },
    headers: { Cookie: cookieOf(linking) },
  });
  const code = parameterIn(linked, 'code');
  const confirmed = await send('POST /api/auth/providers/link/confirm', { token, body: { code } });
  expect(confirmed.body.oauthAccounts).to.have.length(1);
  await send('POST /api/auth/reauthenticate/{provider}', { token });
  await send('DELETE /api/auth/providers/{id}/accounts/{providerAccountId}', { token });
};
