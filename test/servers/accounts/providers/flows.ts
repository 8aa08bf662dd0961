import { createHash, randomBytes } from 'node:crypto';
import type { CoreError, IdentityProvider, ProviderIdentity } from '../../../../core/index.ts';
import { person, provider, scriptedProviders } from '../../../support/scripted-providers.ts';
import { ask, type Reply, type TestService, useService } from '../../../support/service.ts';

export const REDIRECT = 'https://app.example/signed-in';
export const STATE = 'state-of-the-client';

/** A verifier and its challenge, as a client makes them. */
export const newHalf = () => {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
};

export type Half = ReturnType<typeof newHalf>;

/** What begins a login, as a query. */
export const beginQuery = ({ challenge }: Pick<Half, 'challenge'>, change: Record<string, string> = {}) =>
  new URLSearchParams({
    ...{ redirectUri: REDIRECT, challenge, challengeMethod: 'S256', state: STATE },
    ...change,
  }).toString();

/** The cookies of a browser, which sends the oldest first. It follows nothing. */
const openJar = (url: () => string) => {
  const kept = new Map<string, string>();
  const take = ({ headers }: Reply) => {
    for (const line of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/Max-Age=0\b/.test(line)) kept.delete(name);
      else kept.set(name, value);
    }
  };
  return {
    kept,
    go: async (path: string, form?: string): Promise<Reply> => {
      const cookie = [...kept].map(([name, value]) => `${name}=${value}`).join('; ');
      const type = form === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' };
      const reply = await ask(url(), form === undefined ? 'GET' : 'POST', path, {
        headers: { ...(cookie === '' ? {} : { Cookie: cookie }), ...type },
        ...(form !== undefined && { body: form }),
      });
      take(reply);
      return reply;
    },
  };
};

type Jar = ReturnType<typeof openJar>;

export const locationOf = ({ headers }: Pick<Reply, 'headers'>): URL =>
  new URL(headers.get('location') ?? '');

const stateIn = (reply: Reply) => locationOf(reply).searchParams.get('state') ?? '';

/** A service whose providers say what a test scripts, and the way to them. */
export const useTrips = (
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
    ...makeTrips(service, (said) => scripted.script(said), base),
  };
};

/** The way to a provider and back, by the routes of a service. */
const makeTrips = (
  service: () => Pick<TestService, 'url' | 'post'>,
  script: (said: ProviderIdentity | CoreError) => string,
  base: string,
) => {
  const jar = () => openJar(() => service().url);

  /** Sets out, as far as the address at which the provider sends the browser back. */
  const setOut = async (said: ProviderIdentity | CoreError, browser: Jar, query: string): Promise<string> => {
    const state = stateIn(await browser.go(`${base}/begin?${query}`));
    return `state=${state}&code=${script(said)}`;
  };

  /** From setting out to the code that comes back to the client. */
  const travel = async (said = person(), half = newHalf(), ticketUrl?: string) => {
    const browser = jar();
    const query = ticketUrl === undefined ? beginQuery(half) : new URL(ticketUrl).search.slice(1);
    const answer = await setOut(said, browser, query);
    const back = await browser.go(`${base}/callback?${answer}`);
    const code = locationOf(back).searchParams.get('code') ?? '';
    return { browser, answer, back, code, verifier: half.verifier };
  };

  const exchange = (code: string, verifier: string) =>
    service().post('/api/auth/providers/exchange', { code, verifier });

  /** A whole sign-in. */
  const signIn = async (said = person()) => {
    const { code, verifier } = await travel(said);
    return exchange(code, verifier);
  };

  /** A trip that a session asks for, up to its code. */
  const travelFor = async (token: string, path: string, said: ProviderIdentity) => {
    const half = newHalf();
    const body = { redirectUri: REDIRECT, challenge: half.challenge, state: STATE };
    const asked = await service().post(path, body, { token });
    return travel(said, half, String(asked.body.url));
  };

  return { base, jar, setOut, travel, travelFor, exchange, signIn };
};
