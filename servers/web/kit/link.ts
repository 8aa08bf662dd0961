/** An address that a page may link to: http, https, or a path of this origin. Other addresses become `#`. */
export const link = (address: string): string => {
  if (/^\/(?![/\\])/.test(address)) return address;
  return /^https?:\/\//i.test(address) && URL.canParse(address) ? address : '#';
};
