/** Keeps http, https and paths. Replaces all else by `#`: `javascript:`, say, or `//` and `/\`, which name another host. */
export const link = (address: string): string =>
  /^(?:https?:\/\/|\/(?![/\\]))/i.test(address) ? address : '#';
