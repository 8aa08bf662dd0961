import { constant, flag, nullable, object, optional, type TypeOf, text } from '../../schema.ts';
import type { CustomDomain } from '../account.ts';
import type { Deps } from '../deps.ts';
import type { Principal } from '../principal.ts';
import { DOMAIN_EXAMPLE, verificationName } from './domain-name.ts';
import { requireDomainRight } from './domain-right.ts';

export const domainVerification = object(
  {
    type: constant('TXT'),
    name: text({ examples: [`_drop-verification.${DOMAIN_EXAMPLE}`] }),
    value: text({ examples: ['q3Zx0o3l2l8d7cFQn1c9m5y5u3gq1r7v0tJ8w2kYbXo'] }),
  },
  { title: 'DomainVerification', description: 'The TXT record to add' },
);
/** The TXT record that proves control of the domain. */
export type DomainVerification = TypeOf<typeof domainVerification>;

export const customDomainView = object({
  customDomain: nullable(text({ examples: [DOMAIN_EXAMPLE] })),
  customDomainVerified: flag({ description: 'Whether its TXT record was found', examples: [false] }),
  hasCustomDomain: flag({ description: 'Whether one is set', examples: [true] }),
  verification: optional(domainVerification),
});
/** `verification` is present while the domain is set and not verified. */
export type CustomDomainView = TypeOf<typeof customDomainView>;

export const verificationOf = ({ domain, token }: CustomDomain): DomainVerification => ({
  type: 'TXT',
  name: verificationName(domain),
  value: token,
});

export const makeShowCustomDomain =
  ({ policy }: Pick<Deps, 'policy'>) =>
  ({ user }: Principal): CustomDomainView => {
    requireDomainRight(user, policy);
    const customDomain = user.customDomain;
    const view = {
      customDomain: customDomain?.domain ?? null,
      customDomainVerified: customDomain?.verified ?? false,
      hasCustomDomain: customDomain !== null,
    };
    return customDomain === null || customDomain.verified
      ? view
      : { ...view, verification: verificationOf(customDomain) };
  };
