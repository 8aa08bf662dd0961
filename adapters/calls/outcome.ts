import { CoreError } from '../../core/errors.ts';

/**
 * How a call ended, in a word of a small set: `ok`, the kind of the refusal (such as `unavailable`), or `error` for what
 * nobody throws on purpose. A mailer does not throw: there it is what became of the mail.
 */
export const outcomeOf = (
  ending: { readonly value: unknown } | { readonly error: unknown },
  ofValue: (value: unknown) => string = () => 'ok',
): string => {
  if ('value' in ending) return ofValue(ending.value);
  return ending.error instanceof CoreError ? ending.error.kind : 'error';
};

/** What became of a mail: `sent`, `again` or `refused`. */
export const outcomeOfDelivery = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'outcome' in value && typeof value.outcome === 'string'
    ? value.outcome
    : 'ok';
