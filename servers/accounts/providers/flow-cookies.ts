import type { BeginFlowResult } from '../../../core/index.ts';
import { cookiesIn, type SentCookie } from '../../http/cookie-header.ts';

type FlowCookie = NonNullable<BeginFlowResult['keep']>;

/** The most concurrent flows of a browser. */
const MOST = 5;

/** The most characters of all flow cookies. The head of a request, which carries them, may have 16,384. */
const LONGEST = 8_192;

/** The flow cookies in a Cookie header. */
const flowCookiesIn = (header: string, prefix: string): readonly SentCookie[] =>
  cookiesIn(header).filter(({ name }) => name.startsWith(prefix));

/**
 * The cookies in which a browser stores its flows, one cookie for each. With https the name starts with `__Host-`,
 * which only this host can set (RFC 6265bis section 4.1.3.2). Without https, on a developer's machine, browsers reject
 * that name.
 */
export const makeFlowCookies = (https: boolean) => {
  const prefix = https ? '__Host-gh-flow-' : 'gh-flow-';

  /**
   * Lax cookies are not sent with a form of another site. None requires Secure, which browsers accept on loopback, too.
   */
  const attributes = (crossSite: boolean): string =>
    `Path=/; HttpOnly;${https || crossSite ? ' Secure;' : ''} SameSite=${crossSite ? 'None' : 'Lax'}`;
  const clearingLine = (name: string, crossSite: boolean): string =>
    `${name}=; ${attributes(crossSite)}; Max-Age=0`;

  return {
    /** The lines that store a flow, and clear the oldest ones beyond the limits. */
    keeping: ({ name, value, seconds, crossSite }: FlowCookie, header = ''): readonly string[] => {
      let length = value.length;
      const newestFirst = flowCookiesIn(header, prefix).toReversed();
      const tooMany = newestFirst.filter((cookie, place) => {
        length += cookie.value.length;
        return place >= MOST - 1 || length > LONGEST;
      });
      return [
        ...tooMany.map((cookie) => clearingLine(cookie.name, crossSite)),
        `${prefix}${name}=${value}; ${attributes(crossSite)}; Max-Age=${seconds}`,
      ];
    },
    /**
     * The stored value of a flow. Undefined without a cookie, or if there are two, since a sibling host may have set
     * either.
     */
    find: (name: string, header = ''): string | undefined => {
      const [cookie, ...others] = flowCookiesIn(header, prefix).filter(
        (cookie) => cookie.name === `${prefix}${name}`,
      );
      return others.length === 0 ? cookie?.value : undefined;
    },
    clearing: (name: string, crossSite: boolean): string => clearingLine(`${prefix}${name}`, crossSite),
  };
};
