import { type Accounts, type BeginTrip, type BroughtAnswer, invalid } from '../../../core/index.ts';
import type { Answer } from '../../http/answer.ts';
import { methodNotAllowed } from '../../http/http-error.ts';
import { type AnyRoute, type Call, route } from '../../http/route.ts';
import { schemaOf } from '../../http/schema.ts';
import { token } from '../fields.ts';
import { challenge, providerParams, redirectUri, state } from './fields.ts';
import { makeFlowCookies } from './flow-cookies.ts';
import type { SignInSite } from './site.ts';

/** Either a ticket, or all the others. */
interface BeginQuery extends Partial<BeginTrip> {
  readonly ticket?: string;
}

const beginQuery = schemaOf<BeginQuery>()({
  type: 'object',
  properties: {
    redirectUri,
    challenge,
    challengeMethod: { type: 'string', maxLength: 64, description: 'Only `S256`', examples: ['S256'] },
    state,
    ticket: { ...token, description: 'In place of all the others, from the address that `link` gave' },
  },
});

const FORM = 'application/x-www-form-urlencoded';
const FORM_LONGEST = 16_384;

const TO = { Location: 'Where the browser goes on' };
const NOT_FOUND = { description: 'There is no such provider.', errors: ['provider_not_found'] };
const FLOW_LOST = {
  description: 'This browser has not begun the sign-in, or it took too long, or it is over.',
  errors: ['flow_lost'],
};

const seeOther = (location: string): Answer<never> => ({ status: 303, headers: { Location: location } });

/** What is missing is refused by the core, each with its own code. */
const wayOf = ({ ticket, ...given }: BeginQuery): BeginTrip | { readonly ticket: string } => {
  if (ticket === undefined)
    return { redirectUri: '', challenge: '', challengeMethod: '', state: '', ...given };
  if (Object.keys(given).length > 0) throw invalid('invalid_request', 'A ticket comes alone.');
  return { ticket };
};

/** Characters of the provider's `state` that name the cookie of the trip. */
const NAME = /^[A-Za-z0-9_-]{8}/;

/** The name of the trip that an answer is for; undefined where it does not say, or says it twice. */
const nameOf = (parameters: readonly (readonly [string, string])[]): string | undefined => {
  const [state, ...others] = parameters.filter(([name]) => name === 'state');
  return others.length === 0 ? NAME.exec(state?.[1] ?? '')?.[0] : undefined;
};

type Coming = Pick<
  Call<unknown, unknown, { readonly id: string }, unknown>,
  'params' | 'headers' | 'setCookie'
>;

/** The way of a browser to a provider and back. It changes nothing about accounts. */
export const tripRoutes = (accounts: Accounts, { https }: SignInSite): readonly AnyRoute[] => {
  const cookies = makeFlowCookies(https);
  const isByForm = (id: string) => accounts.providers.list().some((one) => one.id === id && one.formPost);

  /** What the browser brings, whose trip is over with it. */
  const bring = ({ params: { id }, headers, setCookie }: Coming, text: string): BroughtAnswer => {
    const parameters = [...new URLSearchParams(text)];
    const name = nameOf(parameters);
    const kept = name === undefined ? undefined : cookies.find(name, headers.cookie);
    if (name !== undefined && kept !== undefined) setCookie(cookies.clearing(name, isByForm(id)));
    return { parameters, ...(kept !== undefined && { kept }) };
  };

  return [
    route({
      method: 'GET',
      withoutHead: true,
      path: '/api/auth/providers/{id}/begin',
      summary: 'Go to a provider, to sign in there',
      access: 'open',
      bucket: 'login',
      navigation: true,
      params: providerParams,
      query: beginQuery,
      example: {
        query: {
          redirectUri: redirectUri.examples[0],
          challenge: challenge.examples[0],
          challengeMethod: 'S256',
          state: state.examples[0],
        },
      },
      answers: {
        303: {
          description:
            'To the provider; to `redirectUri` with `error` and `state` where the provider is down.',
          headers: TO,
        },
        400: {
          description: 'This is not how a sign-in begins. The browser stays here.',
          errors: ['invalid_redirect', 'invalid_challenge', 'invalid_state'],
        },
        401: { description: 'The ticket was used, or has expired.', errors: ['invalid_ticket'] },
        404: NOT_FOUND,
      },
      run: async ({ params: { id }, query, headers, setCookie }) => {
        const { location, keep } = await accounts.providers.begin(id, wayOf(query));
        if (keep !== null) cookies.keeping(keep, headers.cookie).forEach(setCookie);
        return seeOther(location);
      },
    }),
    route({
      method: 'GET',
      withoutHead: true,
      path: '/api/auth/providers/{id}/callback',
      summary: 'Come back from a provider; the address to register there',
      access: 'open',
      bucket: 'login',
      navigation: true,
      params: providerParams,
      answers: {
        303: { description: 'To `redirectUri` with `state`, and with `code` or `error`.', headers: TO },
        400: FLOW_LOST,
        404: NOT_FOUND,
      },
      run: async ({ caller, querystring, ...coming }) => {
        const brought = bring(coming, querystring);
        return seeOther((await accounts.providers.answer(coming.params.id, brought, caller)).location);
      },
    }),
    route({
      method: 'POST',
      path: '/api/auth/providers/{id}/callback',
      summary: 'Come back from a provider that answers with a form, such as Apple',
      access: 'open',
      bucket: 'login',
      navigation: true,
      params: providerParams,
      raw: { longest: FORM_LONGEST, type: FORM },
      answers: {
        303: { description: 'To `redirectUri` with `state`, and with `code` or `error`.', headers: TO },
        400: FLOW_LOST,
        404: NOT_FOUND,
        405: { description: 'The provider answers without a form.', errors: ['method_not_allowed'] },
      },
      run: async ({ caller, upload, ...coming }) => {
        const { id } = coming.params;
        const isKnown = accounts.providers.list().some((one) => one.id === id);
        if (isKnown && !isByForm(id)) throw methodNotAllowed('GET, OPTIONS');
        const brought = bring(coming, Buffer.from(upload).toString());
        return seeOther((await accounts.providers.answer(id, brought, caller)).location);
      },
    }),
  ];
};
