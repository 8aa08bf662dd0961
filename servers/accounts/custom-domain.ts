import type { Accounts, Identity, SetCustomDomain } from '../../core/index.ts';
import { ok } from '../http/answer.ts';
import type { AnyRoute, Route } from '../http/route.ts';
import { schemaOf } from '../http/schema.ts';
import {
  domainAnswer,
  domainRemovedAnswer,
  domainSetAnswer,
  domainVerifiedAnswer,
} from './answers/custom-domain.ts';
import { signedIn } from './signed-in.ts';

const setBody = schemaOf<SetCustomDomain>()({
  type: 'object',
  properties: {
    domain: { type: 'string', maxLength: 1_000, description: 'Domain name', examples: ['files.ada.dev'] },
  },
  required: ['domain'],
});

/** A route for callers on the enterprise tier. */
const forEnterprise = <Body, Query, Params, Output>(
  given: Omit<Route<Body, Query, Params, Identity, Output>, 'access' | 'bucket'>,
): AnyRoute => signedIn({ ...given, access: 'bearer_enterprise', bucket: 'default' });

const ONLY = { description: 'Only on the enterprise tier.', errors: ['enterprise_only'] };

/** The caller's custom domain: spec section 4.1. */
export const customDomainRoutes = (accounts: Accounts): readonly AnyRoute[] => [
  forEnterprise({
    method: 'GET',
    path: '/api/user/custom-domain',
    summary: 'The caller’s custom domain',
    answers: {
      200: {
        description: 'The domain, and while it is not verified the TXT record that is due.',
        schema: domainAnswer,
      },
      403: ONLY,
    },
    run: async ({ who }) => ok(accounts.showCustomDomain(who)),
  }),
  forEnterprise({
    method: 'POST',
    path: '/api/user/custom-domain',
    summary: 'Set the custom domain, in place of the one before',
    body: setBody,
    answers: {
      200: {
        description: 'It is set; the TXT record shows that it is the caller’s.',
        schema: domainSetAnswer,
      },
      400: { description: 'No domain that can be used.', errors: ['invalid_domain', 'reserved_domain'] },
      403: ONLY,
      409: { description: 'Another user has it, or has just claimed it.', errors: ['domain_taken'] },
      429: { description: 'Too many were given up of late.', errors: ['too_many_domains'] },
    },
    run: async ({ body, who, caller }) => ok(await accounts.setCustomDomain(who, body, caller)),
  }),
  signedIn({
    method: 'DELETE',
    path: '/api/user/custom-domain',
    summary: 'Give the custom domain up; it is free at once',
    access: 'bearer',
    bucket: 'default',
    answers: { 200: { description: 'None is set.', schema: domainRemovedAnswer } },
    run: async ({ who, caller }) => ok(await accounts.removeCustomDomain(who, caller)),
  }),
  forEnterprise({
    method: 'POST',
    path: '/api/user/custom-domain/verify',
    summary: 'Look for the TXT record of the custom domain',
    answers: {
      200: { description: 'It is verified.', schema: domainVerifiedAnswer },
      400: { description: 'The record is not there.', errors: ['domain_not_verified'] },
      403: ONLY,
      404: { description: 'No domain is set.', errors: ['domain_not_set'] },
      409: { description: 'Another user has verified it.', errors: ['domain_taken'] },
      503: { description: 'The DNS gave no answer.', errors: ['dns_unavailable'] },
    },
    run: async ({ who, caller }) => ok(await accounts.verifyCustomDomain(who, caller)),
  }),
];
