import { invalid } from '../errors.ts';
import type { DomainNames } from './ports.ts';

const LOCAL = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}$/;

/**
 * The one form in which an email is stored, shown, mailed to and unique: trimmed, NFKC, lower case, its domain in
 * A-labels; at most 254 characters, 64 before the `@`. Throws `invalid_email`.
 */
export const canonicalEmail = (domains: DomainNames, given: string): string => {
  const refuse = () => invalid('invalid_email', 'The email is not a valid address.');
  if (given.length > 1_000) throw refuse();
  const parts = given.trim().normalize('NFKC').toLowerCase().split('@');
  const [local, domain] = parts;
  if (parts.length !== 2 || local === undefined || domain === undefined || !LOCAL.test(local)) throw refuse();
  const ascii = domains.toAscii(domain);
  if (ascii === undefined) throw refuse();
  const email = `${local}@${ascii}`;
  if (email.length > 254) throw refuse();
  return email;
};

/**
 * What emails begin with, in their canonical form. An unfinished domain has no A-labels: a whole email is canonical,
 * anything else is only trimmed, NFKC and lower case. Throws `invalid_email` for what no email begins with.
 */
export const canonicalBeginning = (domains: DomainNames, given: string): string => {
  const text = given.length > 1_000 ? '' : given.trim().normalize('NFKC').toLowerCase();
  const [local = '', domain, ...more] = text.split('@');
  if (!LOCAL.test(local) || more.length > 0) {
    throw invalid('invalid_email', 'No email begins with that.');
  }
  const ascii = domain === undefined || domain === '' ? domain : (domains.toAscii(domain) ?? domain);
  return ascii === undefined ? local : `${local}@${ascii}`;
};
