/** The configuration that the server passes to its pages, in the element `config` of the shell. */
export interface PageConfig {
  readonly product: string;
  /** Addresses of pages that the operator has elsewhere; null if not set. */
  readonly links: {
    readonly support: string | null;
    readonly terms: string | null;
    readonly privacy: string | null;
  };
  readonly logo: { readonly light: string; readonly dark: string | null } | null;
  /** Hints for developers; null in production and for the operators' console. */
  readonly trial: {
    /** The folder into which mails are written as files; null if mails are sent. */
    readonly mails: string | null;
    /** The origin of the account service, for an example of a call. */
    readonly origin: string;
    /** The origin of the operators' console, if it is served. */
    readonly console: string | null;
  } | null;
  /** The external identity providers. */
  readonly providers: readonly { readonly id: string; readonly name: string }[];
  readonly passkeys: boolean;
  /** Only for the operators' console. */
  readonly console?: {
    /** The address of the account pages; null if they are not served. */
    readonly accounts: string | null;
    /** The command that creates the first operator; null in production. */
    readonly grant: string | null;
    /** The setting `TIERS`. */
    readonly tiers: readonly string[];
  };
}
