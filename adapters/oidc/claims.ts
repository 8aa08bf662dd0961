/** A provider's claims about a person: of any type, and to be checked. */
export type Claims = Readonly<Record<string, unknown>>;

/** Of a name or of a picture's address. */
const MOST_CHARACTERS = 2_048;

const textOf = (value: unknown, longest: number): string | null =>
  typeof value === 'string' && value.trim() !== '' && value.length <= longest && value.isWellFormed()
    ? value.trim()
    : null;

export const emailOf = (value: unknown): string | null => textOf(value, 320);

export const nameOf = (value: unknown): string | null => textOf(value, MOST_CHARACTERS);

/** The https address of a picture, which is not fetched here. */
export const pictureOf = (value: unknown): string | null => {
  const text = textOf(value, MOST_CHARACTERS);
  if (text === null || !/^https:\/\/[\x21-\x7e]+$/.test(text) || !URL.canParse(text)) return null;
  const { username, password } = new URL(text);
  return username === '' && password === '' ? text : null;
};

/** Whether an email is verified: by the setting, else by the provider's claim. */
export const isVerified = (
  rule: 'claim' | 'never' | 'always',
  email: string | null,
  isClaimed: boolean,
): boolean => email !== null && rule !== 'never' && (rule === 'always' || isClaimed);
