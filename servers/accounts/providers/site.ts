/** Where browsers reach the account service, and what it offers. */
export interface SignInSite {
  /** The origin of `PUBLIC_URL`, where the cookies of trips live. */
  readonly origin: () => string;
  readonly https: boolean;
  /** Whether passkeys are on. */
  readonly passkeys: boolean;
}

/** The address of ours from which a browser sets out. */
export const beginUrl = ({ origin }: Pick<SignInSite, 'origin'>, id: string): string =>
  `${origin()}/api/auth/providers/${id}/begin`;

/** The same for a trip that a session asked for. */
export const ticketUrl = (
  site: Pick<SignInSite, 'origin'>,
  id: string,
  { ticket }: { readonly ticket: string },
): string => `${beginUrl(site, id)}?ticket=${encodeURIComponent(ticket)}`;
