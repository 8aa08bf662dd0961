import type { IncomingHttpHeaders } from 'node:http';
import { object, text } from '../../../core/schema.ts';

/** Where browsers reach the account service, and what it offers. */
export interface SignInSite {
  /** The origin of `PUBLIC_URL`, which has the flow cookies. */
  readonly origin: () => string;
  /** Whether that origin is an https one: its cookies are then `Secure`. */
  readonly https: boolean;
  /** Whether passkeys are on. */
  readonly passkeys: boolean;
}

/**
 * Whether a page at `PUBLIC_URL` sent a request, so that its browser will send the cookies of `PUBLIC_URL` with the
 * navigation that follows. `Sec-Fetch-Site` alone does not prove it: an app's server may forward that header from its own
 * pages, whose `Origin` differs.
 */
export const isFromOwnPage = ({ origin }: SignInSite, headers: IncomingHttpHeaders): boolean =>
  headers['sec-fetch-site'] === 'same-origin' && headers.origin === origin();

/** The address at which a browser begins a flow. */
export const beginUrl = ({ origin }: SignInSite, id: string): string =>
  `${origin()}/api/auth/providers/${id}/begin`;

/** The address at which the browser of a session begins a flow. The ticket stands for the session. */
export const ticketUrl = (site: SignInSite, id: string, { ticket }: { readonly ticket: string }): string =>
  `${beginUrl(site, id)}?ticket=${encodeURIComponent(ticket)}`;

export const provider = text({ description: 'The provider’s id', examples: ['google'] });

export const providerParams = object({ id: provider });
