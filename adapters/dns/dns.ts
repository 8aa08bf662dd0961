import { Resolver } from 'node:dns/promises';
import type { Dns } from '../../core/accounts/custom-domain/domain-record.ts';
import { unavailable } from '../../core/errors.ts';
import { hasCode } from '../files/atomic-write.ts';

/** For a whole query: every server, every repetition. */
const DEADLINE_MS = 3_000;
/** For the first answer of a server; the second round waits twice as long (c-ares). */
const FIRST_TIMEOUT_MS = 900;

const noAnswer = () => unavailable('dns_unavailable', 'The DNS gave no answer; try again later.', 10);

/**
 * Queries the name servers of the system, or `servers` (`address` or `address:port`). `Resolver` sends the queries itself:
 * none waits in the thread pool that `dns.lookup` shares with file access.
 */
export const makeDns = ({
  servers,
  deadline = DEADLINE_MS,
}: {
  readonly servers?: readonly string[];
  readonly deadline?: number;
} = {}): Dns => ({
  txt: async (name) => {
    const resolver = new Resolver({ timeout: FIRST_TIMEOUT_MS, tries: 2 });
    if (servers !== undefined) resolver.setServers(servers);
    const timer = setTimeout(() => resolver.cancel(), deadline);
    try {
      return (await resolver.resolveTxt(name)).map((strings) => strings.join(''));
    } catch (error) {
      // The name does not exist, or has no record of this type.
      if (hasCode(error, 'ENOTFOUND') || hasCode(error, 'ENODATA')) return [];
      throw noAnswer();
    } finally {
      clearTimeout(timer);
    }
  },
});
