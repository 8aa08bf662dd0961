import type { SetOff } from '../../../core/index.ts';

type Keep = NonNullable<SetOff['keep']>;

/** How many trips a browser may be on. */
const MOST = 5;

/** Characters of the cookies of all trips. The head of a request, which they come in, may have 16,384. */
const LONGEST = 8_192;

interface FlowCookie {
  readonly name: string;
  readonly value: string;
}

/** The cookies of trips in a Cookie header, in its order: browsers send the oldest first (RFC 6265 section 5.4). */
const flowCookiesIn = (header: string, prefix: string): readonly FlowCookie[] =>
  header.split(';').flatMap((pair) => {
    const [given = '', ...value] = pair.split('=');
    const name = given.trim();
    return name.startsWith(prefix) ? [{ name, value: value.join('=').trim() }] : [];
  });

/**
 * The cookies in which a browser keeps the trips that it is on, one for each. With https the browser takes one of this
 * name only from this host itself (RFC 6265bis section 4.1.3.2). Without https, on one's own machine, it takes no such
 * name.
 */
export const makeFlowCookies = (https: boolean) => {
  const prefix = https ? '__Host-gh-flow-' : 'gh-flow-';

  /** Lax is not sent with the form of another site, and None needs Secure, which browsers take on a loopback, too. */
  const attributes = (crossSite: boolean): string =>
    `Path=/; HttpOnly;${https || crossSite ? ' Secure;' : ''} SameSite=${crossSite ? 'None' : 'Lax'}`;
  const clearingLine = (name: string, crossSite: boolean): string =>
    `${name}=; ${attributes(crossSite)}; Max-Age=0`;

  return {
    /** The lines that keep a trip, and let go of the oldest ones where there would be too many. */
    keeping: ({ name, value, seconds, crossSite }: Keep, header = ''): readonly string[] => {
      let length = value.length;
      const newestFirst = flowCookiesIn(header, prefix).toReversed();
      const tooMany = newestFirst.filter((one, place) => {
        length += one.value.length;
        return place >= MOST - 1 || length > LONGEST;
      });
      return [
        ...tooMany.map((old) => clearingLine(old.name, crossSite)),
        `${prefix}${name}=${value}; ${attributes(crossSite)}; Max-Age=${seconds}`,
      ];
    },
    /** What is kept of a trip. Undefined where there is nothing, or where it is not clear which of two is ours. */
    find: (name: string, header = ''): string | undefined => {
      const [found, ...others] = flowCookiesIn(header, prefix).filter(
        (one) => one.name === `${prefix}${name}`,
      );
      return others.length === 0 ? found?.value : undefined;
    },
    clearing: (name: string, crossSite: boolean): string => clearingLine(`${prefix}${name}`, crossSite),
  };
};

export type FlowCookies = ReturnType<typeof makeFlowCookies>;
