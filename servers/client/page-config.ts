/** What the server says to its pages, in the element `config` of the shell. */
export interface PageConfig {
  readonly product: string;
  /** Addresses of pages elsewhere, each null if there is none. */
  readonly links: {
    readonly support: string | null;
    readonly terms: string | null;
    readonly privacy: string | null;
  };
  readonly logo: { readonly light: string; readonly dark: string | null } | null;
  /** What only a start for trying out shows. */
  readonly trial: {
    /** Where mails are written, if they are files. */
    readonly mails: string | null;
    readonly origin: string;
    readonly console: string | null;
  } | null;
  /** Where accounts of other places sign in. */
  readonly providers: readonly { readonly id: string; readonly name: string }[];
  readonly passkeys: boolean;
  /** What only the operator console is told. */
  readonly console?: {
    /** Where the pages of accounts are; null if there are none. */
    readonly accounts: string | null;
    /** The line that makes the first operator, while trying out. */
    readonly grant: string | null;
    /** The setting `TIERS`. */
    readonly tiers: readonly string[];
  };
}
