/** The word that an error reply begins with, such as `OOM` or `NOSCRIPT`; undefined for what is no reply. */
export const replyWord = (error: unknown): string | undefined =>
  error instanceof Error ? /^[A-Z]{2,}(?= )/.exec(error.message)?.[0] : undefined;

const OF_SETTINGS = new Set<string | undefined>(['WRONGPASS', 'NOAUTH', 'NOPERM', 'ERR']);

/** The word of a reply that only another user, password or number of a database would change. */
export const wrongSetting = (error: unknown): string | undefined => {
  const word = replyWord(error);
  return OF_SETTINGS.has(word) ? word : undefined;
};

/** A word for the log, never the text, which may quote an address or a value. */
export const failureWord = (error: unknown): string =>
  replyWord(error) ??
  (error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'lost');
