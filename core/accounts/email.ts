import { invalid } from '../errors.ts';
import type { Clock } from '../ports.ts';
import { text } from '../schema.ts';
import { restorableEmails } from './account.ts';
import type { AccountStore, DomainNames } from './ports.ts';

const INPUT_LONGEST = 1_000;

/** Limits only the length of the input. `canonicalEmail` applies the rules. */
export const EMAIL = text({
  maxLength: INPUT_LONGEST,
  description: 'Email address',
  examples: ['ada@example.com'],
});

export const CANONICAL_EMAIL = text({
  format: 'email',
  description: 'In canonical form',
  examples: ['ada@example.com'],
});

const LOCAL = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}$/;

/**
 * The canonical form of an email, in which it is stored, shown, mailed to and unique: trimmed, NFKC, lower case, its
 * domain in A-labels; at most 254 characters, 64 before the `@`. Throws `invalid_email`.
 */
export const canonicalEmail = (domains: DomainNames, input: string): string => {
  const refuse = () => invalid('invalid_email', 'The email is not a valid address.');
  if (input.length > INPUT_LONGEST) throw refuse();
  const parts = input.trim().normalize('NFKC').toLowerCase().split('@');
  const [local, domain] = parts;
  if (parts.length !== 2 || local === undefined || domain === undefined || !LOCAL.test(local)) throw refuse();
  const ascii = domains.toAscii(domain);
  if (ascii === undefined) throw refuse();
  const email = `${local}@${ascii}`;
  if (email.length > 254) throw refuse();
  return email;
};

/**
 * The canonical form of the beginning of an email. A whole email becomes canonical; an unfinished domain has no A-labels,
 * so anything else is only trimmed, NFKC and lower case. Throws `invalid_email` if no email can begin with the text.
 */
export const canonicalBeginning = (domains: DomainNames, input: string): string => {
  const refuse = () => invalid('invalid_email', 'No email begins with this text.');
  if (input.length > INPUT_LONGEST) throw refuse();
  const [local = '', domain, ...more] = input.trim().normalize('NFKC').toLowerCase().split('@');
  if (!LOCAL.test(local) || more.length > 0) throw refuse();
  return domain === undefined ? local : `${local}@${domains.toAscii(domain) ?? domain}`;
};

/**
 * Whether the owner of a deleted account can still undo the deletion and return to this email. While they can, no other user
 * may verify the email; operators may take it as verified. See decision 0092.
 */
export const isReservedEmail = async (
  { accounts, clock }: { readonly accounts: Pick<AccountStore, 'listByFormerEmail'>; readonly clock: Clock },
  email: string,
): Promise<boolean> => {
  const formerOwners = await accounts.listByFormerEmail(email);
  return formerOwners.some(
    (account) =>
      account.waitingDeletion !== null &&
      restorableEmails(account, clock.now()).some((former) => former.email === email),
  );
};
