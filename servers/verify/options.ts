/** The origin of an http or https address. Throws a `TypeError` that names the option. */
export const originOf = (option: string, value: unknown): string => {
  const { protocol = '', origin = '' } = URL.canParse(String(value)) ? new URL(String(value)) : {};
  if (/^https?:$/.test(protocol)) return origin;
  throw new TypeError(`${option} must be an address such as https://accounts.example.com.`);
};

/** Checks the options that verifier and introspector share. Throws a `TypeError` that names the option. */
export const checkOptions = (options: { readonly audience?: unknown; readonly fetch?: unknown }): void => {
  if (typeof options !== 'object' || options === null) throw new TypeError('The options must be an object.');
  const { audience, fetch } = options;
  if (audience !== undefined && (typeof audience !== 'string' || audience === ''))
    throw new TypeError('audience must be a name, or absent.');
  if (fetch !== undefined && typeof fetch !== 'function')
    throw new TypeError('fetch must be a function, or absent.');
};
