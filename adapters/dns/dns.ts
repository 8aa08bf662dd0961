import { Resolver } from 'node:dns/promises';
import type { Dns } from '../../core/accounts/domain-record.ts';
import { unavailable } from '../../core/errors.ts';

/** Milliseconds for all of a question: every server, every repetition. */
const DEADLINE = 3_000;
/** Milliseconds for the first answer of a server; the second round waits twice as long (c-ares). */
const FIRST_TRY = 900;

/** The servers have answered: there is no such name, or nothing of this type by it. */
const NOTHING_THERE = new Set(['ENOTFOUND', 'ENODATA']);

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown';

const noAnswer = () => unavailable('dns_unavailable', 'The DNS gave no answer; try again later.', 10);

/**
 * Asks the servers the system is set to, or `servers` (`address` or `address:port`). A resolver of its own sends the
 * questions itself: none waits in the thread pool that `dns.lookup` shares with file access, however many wait here.
 */
export const makeDns = ({
  servers,
  deadline = DEADLINE,
}: {
  readonly servers?: readonly string[];
  readonly deadline?: number;
} = {}): Dns => ({
  txt: async (name) => {
    const resolver = new Resolver({ timeout: FIRST_TRY, tries: 2 });
    if (servers !== undefined) resolver.setServers(servers);
    const timer = setTimeout(() => resolver.cancel(), deadline);
    try {
      return (await resolver.resolveTxt(name)).map((strings) => strings.join(''));
    } catch (error) {
      if (NOTHING_THERE.has(codeOf(error))) return [];
      throw noAnswer();
    } finally {
      clearTimeout(timer);
    }
  },
});
