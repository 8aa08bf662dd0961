import { invalid } from '../errors.ts';
import { nullable, text } from '../schema.ts';
import type { AccountsPolicy } from './policy.ts';

/** `maxLength` only bounds the input before it is trimmed; `acceptDisplayName` has the rule. */
export const NEW_DISPLAY_NAME = text({
  maxLength: 1_000,
  description: 'At most 100 characters',
  examples: ['Ada Lovelace'],
});

export const DISPLAY_NAME = nullable(text({ examples: ['Ada Lovelace'] }));

// Control characters, and those that change the direction of text, would end up in mails and terminals.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

/** Whether a name is short enough and safe to show. */
export const isShowable = (name: string, longest: number): boolean =>
  [...name].length <= longest && !CONTROL.test(name);

/** The stored form of a display name: trimmed, null when it is empty. Throws `invalid_display_name`. */
export const acceptDisplayName = (policy: AccountsPolicy, input: string | null): string | null => {
  if (input === null) return null;
  const name = input.trim();
  if (!isShowable(name, policy.displayNameLongest)) {
    throw invalid(
      'invalid_display_name',
      `The display name may have at most ${policy.displayNameLongest} characters and no control characters.`,
    );
  }
  return name === '' ? null : name;
};
