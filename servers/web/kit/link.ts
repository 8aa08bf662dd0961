/** Keeps http, https and paths. Other addresses become `#`, such as `javascript:`, or `//` and `/\`, which name another host. */
export const link = (address: string): string =>
  /^(?:https?:\/\/|\/(?![/\\]))/i.test(address) ? address : '#';
