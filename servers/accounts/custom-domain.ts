import {
  customDomainView,
  removeCustomDomainResult,
  setCustomDomainInput,
  setCustomDomainResult,
} from '../../core/accounts/custom-domain/custom-domain.ts';
import { verifyCustomDomainResult } from '../../core/accounts/custom-domain/verify-custom-domain.ts';
import type { Accounts } from '../../core/index.ts';
import { ok } from '../http/response-body.ts';
import { type AnyRoute, signedIn } from '../http/route.ts';

const ENTERPRISE_ONLY = { description: 'Only on the enterprise tier.', errors: ['enterprise_only'] } as const;

/** The caller's custom domain: spec section 4.1. */
export const customDomainRoutes = (accounts: Accounts): readonly AnyRoute[] => [
  signedIn({
    method: 'GET',
    path: '/api/user/custom-domain',
    summary: 'The caller’s custom domain',
    access: 'bearer_enterprise',
    answers: {
      200: {
        description: 'The domain, and the TXT record to add until it is verified.',
        schema: customDomainView,
      },
      403: ENTERPRISE_ONLY,
    },
    run: async ({ principal }) => ok(accounts.showCustomDomain(principal)),
  }),
  signedIn({
    method: 'POST',
    path: '/api/user/custom-domain',
    summary: 'Set the custom domain, replacing the previous one',
    access: 'bearer_enterprise',
    body: setCustomDomainInput,
    answers: {
      200: {
        description: 'The domain is set; the TXT record proves that it is the caller’s.',
        schema: setCustomDomainResult,
      },
      400: {
        description:
          '`invalid_domain`: not two labels or more, or an address, a wildcard, a port or a path. `reserved_domain`: a name for special use, or the service’s own host or below it.',
        errors: ['invalid_domain', 'reserved_domain'],
      },
      403: ENTERPRISE_ONLY,
      409: {
        description: 'Another user has verified it, or claimed it within 7 days.',
        errors: ['domain_taken'],
      },
      429: { description: '50 other domains were removed within 30 days.', errors: ['too_many_domains'] },
    },
    run: async ({ body, principal, caller }) => ok(await accounts.setCustomDomain(principal, body, caller)),
  }),
  signedIn({
    method: 'DELETE',
    path: '/api/user/custom-domain',
    summary: 'Remove the custom domain; others can claim it at once',
    // On any tier, so that a domain can be removed after the tier was lost.
    answers: { 200: { description: 'No domain is set.', schema: removeCustomDomainResult } },
    run: async ({ principal, caller }) => ok(await accounts.removeCustomDomain(principal, caller)),
  }),
  signedIn({
    method: 'POST',
    path: '/api/user/custom-domain/verify',
    summary: 'Look for the TXT record of the custom domain',
    access: 'bearer_enterprise',
    answers: {
      200: { description: 'The domain is verified.', schema: verifyCustomDomainResult },
      400: { description: 'The record is not there.', errors: ['domain_not_verified'] },
      403: ENTERPRISE_ONLY,
      404: { description: 'No domain is set.', errors: ['domain_not_set'] },
      409: { description: 'Another user has verified it.', errors: ['domain_taken'] },
      503: { description: 'The DNS gave no answer within 3 seconds.', errors: ['dns_unavailable'] },
    },
    run: async ({ principal, caller }) => ok(await accounts.verifyCustomDomain(principal, caller)),
  }),
];
