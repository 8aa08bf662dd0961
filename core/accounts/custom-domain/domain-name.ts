import { invalid } from '../../errors.ts';
import { text } from '../../schema.ts';
import type { DomainNames } from '../ports.ts';

export const DOMAIN_EXAMPLE = 'files.ada.dev';

export const DOMAIN = text({ description: 'In A-labels', examples: [DOMAIN_EXAMPLE] });

/** Names that nobody can own on the internet, with all their subdomains. */
const RESERVED: readonly string[] = [
  // RFC 6761 section 6.
  'test',
  'localhost',
  'invalid',
  'example',
  'example.com',
  'example.net',
  'example.org',
  // RFC 6762, with the names of its appendix G that private networks use.
  'local',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  // RFC 7686, RFC 9476, and the name that ICANN reserves for private use.
  'onion',
  'alt',
  'internal',
  // The zone of infrastructure, such as `home.arpa` (RFC 8375) and the reverse zones (RFC 6761 section 6.1).
  'arpa',
];

/** The name whose TXT record proves control of the domain. */
export const verificationName = (domain: string): string => `_drop-verification.${domain}`;

/** Characters: a name has at most 253 (RFC 1035 section 2.3.4), and the longer name of the TXT record must fit, too. */
const LONGEST = 253 - verificationName('').length;

/** A dot, or a character that IDNA takes for one (UTS #46). */
const FINAL_DOT = /[.\u3002\uff0e\uff61]$/;

const isWithin = (domain: string, zone: string): boolean => domain === zone || domain.endsWith(`.${zone}`);

/**
 * The canonical form of a custom domain, which is stored and unique: its A-labels in lower case, without a final dot.
 * `ownHost` is the host of this service. Throws `invalid`: `invalid_domain` for anything but a domain name of two or
 * more labels (an address, a wildcard, a port, a path), `reserved_domain` for a name in a reserved zone or of this service.
 * See decision 0035.
 */
export const acceptDomain = (domains: DomainNames, ownHost: string, text: string): string => {
  const domain = domains.toAscii(text.trim().replace(FINAL_DOT, ''));
  if (domain === undefined || domain.length > LONGEST) {
    throw invalid(
      'invalid_domain',
      'The domain must be a plain domain name, such as files.your-company.com.',
    );
  }
  const ownDomain = ownHost.toLowerCase().replace(FINAL_DOT, '');
  if ([...RESERVED, ownDomain].some((zone) => isWithin(domain, zone))) {
    throw invalid('reserved_domain', 'This domain is reserved and cannot be used.');
  }
  return domain;
};
