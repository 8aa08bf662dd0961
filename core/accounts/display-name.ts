import { invalid } from '../errors.ts';
import type { AccountsPolicy } from './policy.ts';

// Control characters, and those that turn the direction of text, would end up in mails and terminals.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

/** Whether a name may be shown anywhere. */
export const isShowable = (name: string, longest: number): boolean =>
  [...name].length <= longest && !CONTROL.test(name);

/** A display name as it is stored: trimmed, null when nothing is left. Throws `invalid_display_name`. */
export const acceptDisplayName = (policy: AccountsPolicy, given: string | null): string | null => {
  if (given === null) return null;
  const name = given.trim();
  if (!isShowable(name, policy.displayNameLongest)) {
    throw invalid(
      'invalid_display_name',
      `The display name may have at most ${policy.displayNameLongest} characters and no control characters.`,
    );
  }
  return name === '' ? null : name;
};
