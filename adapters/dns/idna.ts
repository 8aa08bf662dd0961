import { domainToASCII, domainToUnicode } from 'node:url';
import type { DomainNames } from '../../core/accounts/ports.ts';

const LONGEST_NAME = 253;
// Far longer than any name, even with characters that map to nothing; the mapping takes quadratic time.
const LONGEST_INPUT = 1024;

// `domainToASCII` parses a URL's host: it ends at `/`, decodes `%41` and drops tabs, so such characters are refused first.
const STRANGE_ASCII = /[^A-Za-z0-9.\-\u0080-\u{10ffff}]/u;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const DIGITS = /^[0-9]+$/;

/** An A-label must stand for a U-label and be the only way to write that (RFC 5890 section 2.3.2.1). */
const isFaithful = (label: string): boolean => {
  if (!label.startsWith('xn--')) return true;
  const unicode = domainToUnicode(label);
  return !unicode.startsWith('xn--') && domainToASCII(unicode) === label;
};

/** Names of at least two labels of letters, digits and hyphens (RFC 1123 section 2.1), mapped by UTS 46; no IP addresses. */
export const domainNames: DomainNames = {
  toAscii: (domain) => {
    if (domain.length > LONGEST_INPUT || STRANGE_ASCII.test(domain)) return undefined;
    const name = domainToASCII(domain);
    const labels = name.split('.');
    const isValidLabel = (label: string) => LABEL.test(label) && isFaithful(label);
    if (name.length > LONGEST_NAME || labels.length < 2 || !labels.every(isValidLabel)) return undefined;
    return DIGITS.test(labels.at(-1) ?? '') ? undefined : name;
  },
};
