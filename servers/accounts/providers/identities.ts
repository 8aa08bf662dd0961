import { VERIFIER, VERIFIER_EXAMPLE } from '../../../core/accounts/pkce.ts';
import { flowStart } from '../../../core/accounts/providers/begin-flow.ts';
import { LINK_TOKEN, linkResult } from '../../../core/accounts/providers/link-identity.ts';
import { FLOW_CODE, FLOW_CODE_EXAMPLE } from '../../../core/accounts/providers/provider-flow.ts';
import { type Accounts, type ConfirmLinkInput, invalid } from '../../../core/index.ts';
import { object, optional, type TypeOf, text } from '../../../core/schema.ts';
import { ok } from '../../http/response-body.ts';
import { type AnyRoute, signedIn } from '../../http/route.ts';
import { staleResponse } from '../proof-responses.ts';
import { isFromOwnPage, provider, providerParams, type SignInSite, ticketUrl } from './site.ts';

const confirmBody = object({
  code: optional(FLOW_CODE),
  verifier: optional(VERIFIER),
  linkToken: optional(LINK_TOKEN),
});

const identityParams = object({
  id: provider,
  providerAccountId: text({
    description: 'As in `oauthAccounts`',
    examples: ['1234567890'],
  }),
});

const ticketAnswer = object(
  {
    url: text({
      format: 'uri',
      description: 'Where the browser goes; valid once, for 60 seconds',
      examples: ['https://accounts.example.com/api/auth/providers/google/begin?ticket=dGlja2V0'],
    }),
  },
  { title: 'Ticket' },
);

const NOT_FOUND = { description: 'There is no such provider.', errors: ['provider_not_found'] } as const;
const INVALID_BEGIN = {
  description: 'The parameters are wrong.',
  errors: ['invalid_redirect', 'invalid_challenge', 'invalid_state'],
} as const;
const TICKET = { description: 'Navigate there within 60 seconds; it works once.', schema: ticketAnswer };
const LINKED = { description: 'The identities that are linked now.', schema: linkResult };

const confirmInputOf = ({ code, verifier, linkToken }: TypeOf<typeof confirmBody>): ConfirmLinkInput => {
  if (linkToken !== undefined && code === undefined && verifier === undefined) return { linkToken };
  if (linkToken === undefined && code !== undefined && verifier !== undefined) return { code, verifier };
  throw invalid('invalid_request', "Either 'linkToken', or 'code' and 'verifier'.");
};

/** Linked identities of an account, and proofs by them. */
export const identityRoutes = (accounts: Accounts, site: SignInSite): readonly AnyRoute[] => [
  signedIn({
    method: 'POST',
    path: '/api/auth/providers/{id}/link',
    summary: 'Begin to link an identity: the address to navigate to',
    params: providerParams,
    body: flowStart,
    answers: {
      200: TICKET,
      400: INVALID_BEGIN,
      403: staleResponse(),
      404: NOT_FOUND,
      409: { description: 'The account has 20 identities already.', errors: ['too_many_identities'] },
    },
    run: async ({ params: { id }, body, principal, caller, headers }) => {
      const input = { ...body, fromBrowser: isFromOwnPage(site, headers) };
      const ticket = await accounts.providers.beginLink(principal, id, input, caller);
      return ok({ url: ticketUrl(site, id, ticket) });
    },
  }),
  signedIn({
    method: 'POST',
    path: '/api/auth/providers/link/confirm',
    summary: 'Link the identity of a flow, or of the refusal `account_exists`',
    body: confirmBody,
    example: { body: { code: FLOW_CODE_EXAMPLE, verifier: VERIFIER_EXAMPLE } },
    answers: {
      200: LINKED,
      401: {
        description: 'The flow belongs to another session, was used, or has expired.',
        errors: ['invalid_flow'],
      },
      403: staleResponse('wrong_account'),
      409: {
        description: 'Another account has this identity, or the caller has 20 identities.',
        errors: ['identity_taken', 'too_many_identities'],
      },
    },
    run: async ({ body, principal, caller }) =>
      ok(await accounts.providers.confirmLink(principal, confirmInputOf(body), caller)),
  }),
  signedIn({
    method: 'DELETE',
    path: '/api/auth/providers/{id}/accounts/{providerAccountId}',
    summary: 'Unlink an identity',
    params: identityParams,
    answers: {
      200: LINKED,
      403: staleResponse(),
      404: { description: 'The account has no such identity.', errors: ['identity_not_found'] },
      409: { description: 'The identity is the last sign-in method.', errors: ['last_sign_in_method'] },
    },
    run: async ({ params: { id, providerAccountId }, principal, caller }) =>
      ok(await accounts.providers.unlink(principal, { provider: id, providerAccountId }, caller)),
  }),
  signedIn({
    method: 'POST',
    path: '/api/auth/reauthenticate/{provider}',
    summary: 'Begin a fresh proof by a provider: the address to navigate to',
    access: 'bearer_restricted',
    params: object({ provider }),
    body: flowStart,
    answers: { 200: TICKET, 400: INVALID_BEGIN, 404: NOT_FOUND },
    run: async ({ params: { provider }, body, principal, headers }) => {
      const input = { ...body, fromBrowser: isFromOwnPage(site, headers) };
      const ticket = await accounts.providers.beginProof(principal, provider, input);
      return ok({ url: ticketUrl(site, provider, ticket) });
    },
  }),
];
