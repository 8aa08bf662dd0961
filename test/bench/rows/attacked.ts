import { logIn, withServer } from '../ground.ts';
import { load } from '../load.ts';
import { type Measure, takeTurns } from '../measure.ts';
import type { Client } from '../request.ts';
import { medianOf } from '../statistics.ts';
import { atMostTimes, type Row } from '../verdict.ts';

const ATTACKERS = 8;
const OTHERS = 2;
/** A multiple of the time without attackers: other users wait for one hash, and their own hash runs on a busy machine. */
const GOAL = 3;

const at = (address: string, client: Client): Client => ({ ...client, address });

/**
 * Logins of other users while attackers send as many logins as possible for one account, or from one address. Rate limits are
 * off, so that the rows measure the queue.
 */
export const attacked = (measure: Measure): Promise<readonly Row[]> =>
  withServer(
    ATTACKERS + OTHERS,
    async ({ server: { port }, user, users }) => {
      const { seconds, say } = measure;
      const run = (clients: readonly Client[]) => load({ port, seconds, rotates: false, clients });
      const others = users.slice(ATTACKERS).map((other, index) => at(`192.0.2.${index + 1}`, logIn(other)));
      const accounts = users.slice(0, ATTACKERS);
      const attacks: Readonly<Record<string, readonly Client[]>> = {
        account: accounts.map((_, index) => at(`198.51.100.${index + 1}`, logIn(user))),
        address: accounts.map((account) => at('203.0.113.1', logIn(account))),
      };

      say('attacked: warming up');
      await run([...others, ...accounts.map(logIn), logIn(user)]);
      const rows: Row[] = [];
      for (const [what, clients] of Object.entries(attacks)) {
        const { product, reference } = await takeTurns(
          measure,
          `attacked ${what}`,
          async () => (await Promise.all([run(others), run(clients)]))[0],
          () => run(others),
        );
        const refused = product.reduce((sum, answer) => sum + answer.others, 0);
        rows.push(
          atMostTimes(GOAL, {
            row: `others' logins (p99) beside ${ATTACKERS} attackers of one ${what}`,
            unit: 'ms',
            product: medianOf(product, ({ p99 }) => p99),
            reference: medianOf(reference, ({ p99 }) => p99),
            against: 'quiet',
            note: `${refused} of others refused`,
          }),
        );
      }
      return rows;
    },
    { TRUSTED_PROXIES: '127.0.0.1' },
  );
