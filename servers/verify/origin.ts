/** The origin of an http or https address. Throws a `TypeError` that names the option. */
export const originOf = (option: string, value: unknown): string => {
  const { protocol = '', origin = '' } = URL.canParse(String(value)) ? new URL(String(value)) : {};
  if (/^https?:$/.test(protocol)) return origin;
  throw new TypeError(`${option} must be an address such as https://accounts.example.com.`);
};
