/** What a provider says of a person. All of it is the provider's word, of any type. */
export type Claims = Readonly<Record<string, unknown>>;

const LONGEST = 2_048;

/** Half a surrogate pair is no text: it has no UTF-8. */
export const isText = (value: string): boolean => Buffer.from(value).toString() === value;

const textOf = (value: unknown, longest: number): string | null =>
  typeof value === 'string' && value.trim() !== '' && value.length <= longest && isText(value)
    ? value.trim()
    : null;

export const emailOf = (value: unknown): string | null => textOf(value, 320);

export const nameOf = (value: unknown): string | null => textOf(value, LONGEST);

/** An https address, which nobody asks for here. */
export const pictureOf = (value: unknown): string | null => {
  const text = textOf(value, LONGEST);
  if (text === null || !/^https:\/\/[\x21-\x7e]+$/.test(text) || !URL.canParse(text)) return null;
  const { username, password } = new URL(text);
  return username === '' && password === '' ? text : null;
};

/** Whether an email is verified: as the setting says, else by what the provider says. */
export const isVerified = (
  rule: 'claim' | 'never' | 'always',
  email: string | null,
  saysProvider: boolean,
): boolean => email !== null && rule !== 'never' && (rule === 'always' || saysProvider);
