import { type Accounts, type ConfirmLink, type IdentityName, invalid } from '../../../core/index.ts';
import { ok } from '../../http/answer.ts';
import type { AnyRoute } from '../../http/route.ts';
import { schemaOf } from '../../http/schema.ts';
import { staleAnswer } from '../answers/fresh.ts';
import { linkedAnswer, ticketAnswer } from '../answers/providers.ts';
import { token, tripCode, verifier } from '../fields.ts';
import { signedIn } from '../signed-in.ts';
import { provider, providerParams, setOutBody } from './fields.ts';
import { type SignInSite, ticketUrl } from './site.ts';

interface ConfirmLinkBody {
  readonly code?: string;
  readonly verifier?: string;
  readonly linkToken?: string;
}

const confirmBody = schemaOf<ConfirmLinkBody>()({
  type: 'object',
  properties: {
    code: tripCode,
    verifier,
    linkToken: { ...token, description: 'In place of both, from the refusal `account_exists`' },
  },
});

const proofParams = schemaOf<{ readonly provider: string }>()({
  type: 'object',
  properties: { provider },
  required: ['provider'],
});

const identityParams = schemaOf<{ readonly id: string; readonly providerAccountId: string }>()({
  type: 'object',
  properties: {
    id: provider,
    providerAccountId: {
      type: 'string',
      maxLength: 1_024,
      description: 'As in `oauthAccounts`',
      examples: ['1234567890'],
    },
  },
  required: ['id', 'providerAccountId'],
});

const NOT_FOUND = { description: 'There is no such provider.', errors: ['provider_not_found'] };
const SET_OUT = {
  description: 'This is not how a sign-in begins.',
  errors: ['invalid_redirect', 'invalid_challenge', 'invalid_state'],
};
const TICKET = { description: 'Navigate there within 60 seconds; it works once.', schema: ticketAnswer };
const LINKED = { description: 'What is linked now.', schema: linkedAnswer };

const confirmed = ({ code, verifier, linkToken }: ConfirmLinkBody): ConfirmLink => {
  if (linkToken !== undefined && code === undefined && verifier === undefined) return { linkToken };
  if (linkToken === undefined && code !== undefined && verifier !== undefined) return { code, verifier };
  throw invalid('invalid_request', "Either 'linkToken', or 'code' and 'verifier'.");
};

const nameOf = (given: { readonly id: string; readonly providerAccountId: string }): IdentityName => ({
  provider: given.id,
  providerAccountId: given.providerAccountId,
});

/** Identities of an account that is there, and proofs by them. */
export const linkRoutes = (accounts: Accounts, site: SignInSite): readonly AnyRoute[] => [
  signedIn({
    method: 'POST',
    path: '/api/auth/providers/{id}/link',
    summary: 'Begin to add a way to sign in: the address to navigate to',
    access: 'bearer',
    bucket: 'default',
    params: providerParams,
    body: setOutBody,
    answers: {
      200: TICKET,
      400: SET_OUT,
      403: staleAnswer(),
      404: NOT_FOUND,
      409: { description: 'The account has 20 already.', errors: ['too_many_identities'] },
    },
    run: async ({ params: { id }, body, who, caller }) =>
      ok({ url: ticketUrl(site, id, await accounts.providers.beginLink(who, id, body, caller)) }),
  }),
  signedIn({
    method: 'POST',
    path: '/api/auth/providers/link/confirm',
    summary: 'Add the identity of a trip, or the one that an account with its email was in the way of',
    access: 'bearer',
    bucket: 'default',
    body: confirmBody,
    example: { body: { code: tripCode.examples[0], verifier: verifier.examples[0] } },
    answers: {
      200: LINKED,
      401: {
        description: 'The trip is not this session’s, was used, or has expired.',
        errors: ['invalid_flow'],
      },
      403: staleAnswer('wrong_account'),
      409: {
        description: 'Another account has this identity, or this one has 20.',
        errors: ['identity_taken', 'too_many_identities'],
      },
    },
    run: async ({ body, who, caller }) =>
      ok(await accounts.providers.confirmLink(who, confirmed(body), caller)),
  }),
  signedIn({
    method: 'DELETE',
    path: '/api/auth/providers/{id}/accounts/{providerAccountId}',
    summary: 'Remove a way to sign in',
    access: 'bearer',
    bucket: 'default',
    params: identityParams,
    answers: {
      200: LINKED,
      403: staleAnswer(),
      404: { description: 'The account has no such identity.', errors: ['identity_not_found'] },
      409: { description: 'There is no other way to sign in.', errors: ['last_sign_in_method'] },
    },
    run: async ({ params, who, caller }) => ok(await accounts.providers.unlink(who, nameOf(params), caller)),
  }),
  signedIn({
    method: 'POST',
    path: '/api/auth/reauthenticate/{provider}',
    summary: 'Begin a fresh proof by a provider: the address to navigate to',
    access: 'bearer_restricted',
    bucket: 'default',
    params: proofParams,
    body: setOutBody,
    answers: { 200: TICKET, 400: SET_OUT, 404: NOT_FOUND },
    run: async ({ params: { provider }, body, who }) =>
      ok({ url: ticketUrl(site, provider, await accounts.providers.beginProof(who, provider, body)) }),
  }),
];
