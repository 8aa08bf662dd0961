/** Placeholders from documentation and examples. */
const SAMPLE =
  /change[-_ ]?(?:me|this|it)|replace[-_ ]?(?:me|this|it)|your[-_ ]|placeholder|password|^example/i;

/** Whether the text is one piece of at most 16 characters, repeated. */
const isRepetition = (text: string): boolean => {
  // The first place at which a text occurs again in its doubling is the length of its shortest repeated piece.
  const unit = (text + text).indexOf(text, 1);
  return unit < text.length && unit <= 16;
};

/** Bytes of key material. After `whsec_` comes Base64 (Standard Webhooks 1.0). */
export const keyBytes = (text: string): number =>
  text.startsWith('whsec_') ? Buffer.from(text.slice(6), 'base64').length : Buffer.byteLength(text);

/** How many secrets a setting may hold, and the least number of bytes of each. */
export interface SecretRule {
  readonly most: 2 | 10;
  readonly bytes: number;
}

/** The rules of the settings, which hold for the files of generated secrets as well. */
export const SECRET_RULES = {
  INTERNAL_SECRET: { most: 2, bytes: 32 },
  METADATA_SECRET: { most: 2, bytes: 32 },
  HASH_KEY: { most: 2, bytes: 32 },
  WEBHOOK_SECRETS: { most: 10, bytes: 24 },
} as const satisfies Readonly<Record<string, SecretRule>>;

/** Secrets that are hard to guess: long enough, printable in a header, not a placeholder and not a pattern. */
export const strongSecrets =
  ({ most, bytes }: SecretRule) =>
  (text: string): readonly string[] | undefined => {
    const secrets = text.split(',').map((part) => part.trim());
    const isStrong = (secret: string) =>
      keyBytes(secret) >= bytes &&
      new Set(secret).size >= 5 &&
      /^[\x21-\x7e]+$/.test(secret) &&
      !SAMPLE.test(secret) &&
      !isRepetition(secret);
    return secrets.length <= most && secrets.every(isStrong) ? secrets : undefined;
  };
