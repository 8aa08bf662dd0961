/** The configuration that the server passes to its pages, in the element `config` of the shell. */
export interface PageConfig {
  readonly product: string;
  /** Addresses of pages elsewhere, each null if there is none. */
  readonly links: {
    readonly support: string | null;
    readonly terms: string | null;
    readonly privacy: string | null;
  };
  readonly logo: { readonly light: string; readonly dark: string | null } | null;
  /** Hints for developers; null in production and for the operators' console. */
  readonly trial: {
    /** Where mails are written, if they are files. */
    readonly mails: string | null;
    /** The origin of the account service, for an example of a call. */
    readonly origin: string;
    /** The origin of the operators' console, if it is served. */
    readonly console: string | null;
  } | null;
  /** The external identity providers. */
  readonly providers: readonly { readonly id: string; readonly name: string }[];
  readonly passkeys: boolean;
  /** Configuration of the operators' console alone. */
  readonly console?: {
    /** Where the pages of accounts are; null if there are none. */
    readonly accounts: string | null;
    /** The command that creates the first operator; null in production. */
    readonly grant: string | null;
    /** The setting `TIERS`. */
    readonly tiers: readonly string[];
  };
}
