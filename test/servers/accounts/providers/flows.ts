import { createHash, randomBytes } from 'node:crypto';
import type { CoreError, IdentityProvider, ProviderIdentity } from '../../../../core/index.ts';
import { provider, providerIdentity, scriptedProviders } from '../../../support/scripted-providers.ts';
import { ask, type Reply, type TestService, useService } from '../../../support/service.ts';

export const REDIRECT = 'https://app.example/signed-in';
export const STATE = 'state-of-the-client';

/** A PKCE verifier and its challenge. */
export const newPkcePair = () => {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
};

export type PkcePair = ReturnType<typeof newPkcePair>;

/** The query of the request that begins a sign-in. */
export const beginQuery = ({ challenge }: Pick<PkcePair, 'challenge'>, change: Record<string, string> = {}) =>
  new URLSearchParams({
    ...{ redirectUri: REDIRECT, challenge, challengeMethod: 'S256', state: STATE },
    ...change,
  }).toString();

/** The cookies of a browser, which sends the oldest first. Redirects are not followed. */
const openJar = (url: () => string) => {
  const cookies = new Map<string, string>();
  const storeCookies = ({ headers }: Reply) => {
    for (const line of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/Max-Age=0\b/.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
  };
  return {
    cookies,
    go: async (path: string, form?: string): Promise<Reply> => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const type = form === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' };
      const reply = await ask(url(), form === undefined ? 'GET' : 'POST', path, {
        headers: { ...(cookie === '' ? {} : { Cookie: cookie }), ...type },
        ...(form !== undefined && { body: form }),
      });
      storeCookies(reply);
      return reply;
    },
  };
};

type Jar = ReturnType<typeof openJar>;

export const locationOf = ({ headers }: Pick<Reply, 'headers'>): URL =>
  new URL(headers.get('location') ?? '');

const stateIn = (reply: Reply) => locationOf(reply).searchParams.get('state') ?? '';

/** A service with scripted providers, and calls that run its flows. */
export const useFlows = (
  list: readonly IdentityProvider[] = [provider()],
  settings: Readonly<Record<string, string>> = {},
) => {
  const scripted = scriptedProviders(list);
  const service = useService({ SIGN_IN_REDIRECTS: REDIRECT, ...settings }, { providers: scripted.port });
  const [{ id = '' } = {}] = list;
  const base = `/api/auth/providers/${id}`;

  return {
    service,
    scripted,
    ...makeFlowCalls(service, (result) => scripted.script(result), base),
  };
};

/** Calls that run a flow to a provider and back over the routes of a service. */
const makeFlowCalls = (
  service: () => Pick<TestService, 'url' | 'post'>,
  script: (result: ProviderIdentity | CoreError) => string,
  base: string,
) => {
  const jar = () => openJar(() => service().url);

  /** Begins a flow, and returns the query with which the provider redirects the browser back. */
  const beginFlow = async (result: ProviderIdentity | CoreError, browser: Jar, query: string) => {
    const state = stateIn(await browser.go(`${base}/begin?${query}`));
    return `state=${state}&code=${script(result)}`;
  };

  /** Runs a flow up to the code that the client receives. */
  const runFlow = async (result = providerIdentity(), pkce = newPkcePair(), ticketUrl?: string) => {
    const browser = jar();
    const query = ticketUrl === undefined ? beginQuery(pkce) : new URL(ticketUrl).search.slice(1);
    const callbackQuery = await beginFlow(result, browser, query);
    const callbackReply = await browser.go(`${base}/callback?${callbackQuery}`);
    const code = locationOf(callbackReply).searchParams.get('code') ?? '';
    return { browser, callbackQuery, callbackReply, code, verifier: pkce.verifier };
  };

  const exchange = (code: string, verifier: string) =>
    service().post('/api/auth/providers/exchange', { code, verifier });

  /** Runs a flow and exchanges its code. */
  const signIn = async (result = providerIdentity()) => {
    const { code, verifier } = await runFlow(result);
    return exchange(code, verifier);
  };

  /** Runs a flow that a session requests, up to its code. */
  const runFlowFor = async (token: string, path: string, result: ProviderIdentity) => {
    const pkce = newPkcePair();
    const body = { redirectUri: REDIRECT, challenge: pkce.challenge, state: STATE };
    const ticket = await service().post(path, body, { token });
    return runFlow(result, pkce, String(ticket.body.url));
  };

  return { base, jar, beginFlow, runFlow, runFlowFor, exchange, signIn };
};
