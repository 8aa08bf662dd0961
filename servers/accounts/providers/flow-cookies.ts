import type { BeginFlowResult } from '../../../core/index.ts';
import { cookiesIn, type SentCookie } from '../../http/cookie-header.ts';

type FlowCookie = NonNullable<BeginFlowResult['cookie']>;

/** The number of concurrent flows that a browser may have. */
const MAX_FLOWS = 5;

/** The most characters of the values of all flow cookies: half of what the head of a request may have. */
const MAX_CHARACTERS = 8_192;

const flowCookiesIn = (header: string, prefix: string): readonly SentCookie[] =>
  cookiesIn(header).filter(({ name }) => name.startsWith(prefix));

/** The cookies in which a browser stores its flows, one for each. Without https, browsers reject a name with `__Host-`. */
export const makeFlowCookies = (https: boolean) => {
  const prefix = https ? '__Host-gh-flow-' : 'gh-flow-';

  const lax = `Path=/; HttpOnly;${https ? ' Secure;' : ''} SameSite=Lax`;
  /**
   * For a provider that answers with a form: a form of another site sends no `SameSite=Lax` cookie. `SameSite=None` requires
   * `Secure`, which browsers accept on loopback, too.
   */
  const crossSiteForm = 'Path=/; HttpOnly; Secure; SameSite=None';
  /**
   * Clears a cookie of either kind, since a request does not tell a cookie's attributes. With https both kinds are `Secure`, and
   * one line clears either. Without https each kind needs a line of its own: only a `Secure` line replaces a `Secure` cookie.
   */
  const clearLines = (cookieName: string): readonly string[] =>
    (https ? [lax] : [lax, crossSiteForm]).map((attributes) => `${cookieName}=; ${attributes}; Max-Age=0`);

  return {
    /** The `Set-Cookie` lines that store a flow, and clear the oldest flows beyond the limits. */
    storeLines: ({ name, value, seconds, crossSite }: FlowCookie, header = ''): readonly string[] => {
      // The new flow counts toward both limits: its length starts the sum, and it takes one of the `MAX_FLOWS` places.
      let length = value.length;
      // Browsers send the oldest cookie first (RFC 6265 section 5.4).
      const newestFirst = flowCookiesIn(header, prefix).toReversed();
      const tooMany = newestFirst.filter((cookie, index) => {
        length += cookie.value.length;
        return index >= MAX_FLOWS - 1 || length > MAX_CHARACTERS;
      });
      return [
        ...tooMany.flatMap((cookie) => clearLines(cookie.name)),
        `${prefix}${name}=${value}; ${crossSite ? crossSiteForm : lax}; Max-Age=${seconds}`,
      ];
    },
    /** The value of a flow's cookie; undefined also if there are two, since a sibling host may have set either. */
    find: (name: string, header = ''): string | undefined => {
      const [cookie, ...others] = flowCookiesIn(header, prefix).filter(
        (flowCookie) => flowCookie.name === `${prefix}${name}`,
      );
      return others.length === 0 ? cookie?.value : undefined;
    },
    clearLines: (name: string): readonly string[] => clearLines(`${prefix}${name}`),
  };
};
