import { type Kind, setting } from '../declare-setting.ts';
import { folder, reads, webAddress } from '../value-kinds.ts';

const colour: Kind<string> = reads('a colour of six hexadecimal digits such as #2f55d4', (text) =>
  /^#[0-9a-f]{6}$/i.test(text) ? text.toLowerCase() : undefined,
);

/** What people see of the operator: the same on pages and in mails. */
export const branding = {
  /**
   * Colour of links and buttons on pages and in mails, as six hexadecimal digits. Where it has too little contrast with
   * its ground, a lighter or darker tone of it is used. Example: `#00a86b`.
   */
  brandColour: setting('BRAND_COLOUR', colour, { default: '#2f55d4' }),
  /**
   * Folder with your own files: `logo.svg` or `logo.png`, `logo-dark.svg` or `.png`, `icon.svg` or `.png` (at most 100
   * KiB each), `mail-logo.png` (at most 20 KiB) and `theme.css` (at most 20 KiB, with custom properties alone). Any
   * other file stops the start. Example: `/etc/gatehouse/brand`.
   */
  brandDir: setting('BRAND_DIR', folder),
  /**
   * Folder with your own texts of mails; [below](#mails-of-your-own). Mails that are missing there have the built-in
   * text. Example: `/etc/gatehouse/mails`.
   */
  mailTemplatesDir: setting('MAIL_TEMPLATES_DIR', folder),
  /** Where users get help. Linked at the foot of pages and mails. Example: `https://example.com/help`. */
  supportUrl: setting('SUPPORT_URL', webAddress),
  /** Your terms of use. Linked at the foot of pages and mails. Example: `https://example.com/terms`. */
  termsUrl: setting('TERMS_URL', webAddress),
  /** Your privacy policy. Linked at the foot of pages and mails. Example: `https://example.com/privacy`. */
  privacyUrl: setting('PRIVACY_URL', webAddress),
};
