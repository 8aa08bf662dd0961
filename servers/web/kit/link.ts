/** An address that a page may link to: http, https, or a path of this origin. Other addresses become `#`. */
export const link = (address: string): string => {
  // Browsers leave out tabs and line ends.
  if (/^\/(?![/\\])[^\t\r\n]*$/.test(address)) return address;
  return /^https?:\/\//i.test(address) && URL.canParse(address) ? address : '#';
};
