import type { IncomingHttpHeaders } from 'node:http';
import { CHALLENGE, CHALLENGE_EXAMPLE } from '../../../core/accounts/pkce.ts';
import {
  CHALLENGE_METHOD,
  STATE,
  STATE_EXAMPLE,
  TICKET,
} from '../../../core/accounts/providers/begin-flow.ts';
import { flowNameIn } from '../../../core/accounts/providers/callback.ts';
import { REDIRECT_EXAMPLE, REDIRECT_URI } from '../../../core/accounts/providers/redirects.ts';
import {
  type Accounts,
  type BeginFlowInput,
  invalid,
  type ProviderCallback,
  type TicketNavigation,
} from '../../../core/index.ts';
import { object, optional, type TypeOf } from '../../../core/schema.ts';
import { valuesOf } from '../../http/cookie-header.ts';
import { cookieForm } from '../../http/cookie-session/cookie-attributes.ts';
import { methodNotAllowed } from '../../http/http-error.ts';
import { seeOther } from '../../http/response-body.ts';
import { type AnyRoute, type Call, openRoute } from '../../http/route.ts';
import { makeFlowCookies } from './flow-cookies.ts';
import { providerParams, type SignInSite } from './site.ts';

/** Either a ticket, or all other members. */
const beginQuery = object({
  redirectUri: optional(REDIRECT_URI),
  challenge: optional(CHALLENGE),
  challengeMethod: optional(CHALLENGE_METHOD),
  state: optional(STATE),
  ticket: optional(TICKET),
});

const FORM_TYPE = 'application/x-www-form-urlencoded';
const FORM_BYTES_MOST = 16_384;

const LOCATION = { Location: 'Where the browser goes on' };
const NOT_FOUND = { description: 'There is no such provider.', errors: ['provider_not_found'] } as const;
const CALLBACK_ANSWERS = {
  303: { description: 'To `redirectUri` with `state`, and with `code` or `error`.', headers: LOCATION },
  400: {
    description: 'The sign-in was started in another browser or has expired.',
    errors: ['flow_lost'],
  },
  404: NOT_FOUND,
} as const;

/** The core's input for a query. Missing members are empty text, which the core refuses with a code for each member. */
const beginInputOf = (
  { ticket, ...query }: TypeOf<typeof beginQuery>,
  sessionCookies: readonly string[],
): BeginFlowInput | TicketNavigation => {
  if (ticket === undefined)
    return { redirectUri: '', challenge: '', challengeMethod: '', state: '', ...query };
  if (Object.keys(query).length > 0) throw invalid('invalid_request', 'A ticket comes alone.');
  return { ticket, sessionCookies };
};

type CallbackCall = Pick<Call<unknown, unknown, unknown, unknown>, 'headers' | 'setCookie'>;

/** The redirects of a browser to a provider and back. They change no account. */
export const flowRoutes = (accounts: Accounts, { https }: SignInSite): readonly AnyRoute[] => {
  const cookies = makeFlowCookies(https);
  const sessionCookiesIn = ({ cookie = '' }: IncomingHttpHeaders) => valuesOf(cookie, cookieForm(https).name);
  const findProvider = (id: string) => accounts.providers.list().find((provider) => provider.id === id);

  /** Reads the callback and clears the flow's cookie. */
  const readCallback = ({ headers, setCookie }: CallbackCall, text: string): ProviderCallback => {
    const parameters = [...new URLSearchParams(text)];
    const name = flowNameIn(parameters);
    const flowCookie = name === undefined ? undefined : cookies.find(name, headers.cookie);
    if (name !== undefined && flowCookie !== undefined) cookies.clearLines(name).forEach(setCookie);
    return { parameters, ...(flowCookie !== undefined && { cookie: flowCookie }) };
  };

  return [
    openRoute({
      method: 'GET',
      withoutHead: true,
      path: '/api/auth/providers/{id}/begin',
      summary: 'Begin to sign in with a provider',
      bucket: 'login',
      navigation: true,
      params: providerParams,
      query: beginQuery,
      example: {
        query: {
          redirectUri: REDIRECT_EXAMPLE,
          challenge: CHALLENGE_EXAMPLE,
          challengeMethod: 'S256',
          state: STATE_EXAMPLE,
        },
      },
      answers: {
        303: {
          description:
            'To the provider; to `redirectUri` with `error` and `state` where the provider is down.',
          headers: LOCATION,
        },
        400: {
          description: 'The parameters are wrong. The browser is not redirected.',
          errors: ['invalid_redirect', 'invalid_challenge', 'invalid_state'],
        },
        401: {
          description:
            'The ticket was used, has expired, or works only in the browser that has the session’s cookie, and this is another one. A second use also ends the flow that the first use began.',
          errors: ['invalid_ticket'],
        },
        404: NOT_FOUND,
      },
      run: async ({ params: { id }, query, headers, setCookie }) => {
        const { location, cookie: flowCookie } = await accounts.providers.begin(
          id,
          beginInputOf(query, sessionCookiesIn(headers)),
        );
        if (flowCookie !== null) cookies.storeLines(flowCookie, headers.cookie).forEach(setCookie);
        return seeOther(location);
      },
    }),
    openRoute({
      method: 'GET',
      withoutHead: true,
      path: '/api/auth/providers/{id}/callback',
      summary: 'The callback for providers; register this address there',
      bucket: 'login',
      navigation: true,
      params: providerParams,
      answers: CALLBACK_ANSWERS,
      run: async ({ caller, querystring, ...call }) => {
        const callback = readCallback(call, querystring);
        return seeOther((await accounts.providers.answer(call.params.id, callback, caller)).location);
      },
    }),
    openRoute({
      method: 'POST',
      path: '/api/auth/providers/{id}/callback',
      summary: 'The callback for providers that answer with a form, such as Apple',
      bucket: 'login',
      navigation: true,
      params: providerParams,
      raw: { longest: FORM_BYTES_MOST, type: FORM_TYPE },
      answers: {
        ...CALLBACK_ANSWERS,
        405: { description: 'The provider answers without a form.', errors: ['method_not_allowed'] },
      },
      run: async ({ caller, upload, ...call }) => {
        const { id } = call.params;
        if (findProvider(id)?.formPost === false) throw methodNotAllowed('GET, OPTIONS');
        const callback = readCallback(call, Buffer.from(upload).toString());
        return seeOther((await accounts.providers.answer(id, callback, caller)).location);
      },
    }),
  ];
};
