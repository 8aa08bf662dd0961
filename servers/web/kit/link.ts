/**
 * An address that a page may link to: http, https, or one that begins with a single slash, well-formed or not. Others become `#`,
 * such as `javascript:`, or `//` and `/\`, which would lead to another host.
 */
export const link = (address: string): string =>
  /^(?:https?:\/\/|\/(?![/\\]))/i.test(address) ? address : '#';
