import { logIn, withServer } from '../ground.ts';
import { load } from '../load.ts';
import { type Measure, takeTurns } from '../measure.ts';
import type { Client } from '../request.ts';
import { medianOf } from '../statistics.ts';
import { atMostTimes, type Row } from '../verdict.ts';

const ATTACKERS = 8;
const OTHERS = 2;
/** Times what they take without attackers: others wait for one hash, and have a busy machine for their own. */
const GOAL = 3;

const at = (address: string, client: Client): Client => ({ ...client, address });

/**
 * Logins of others while as many as can be are asked for of one account, and from one address. The allowances are out
 * of the way, so it is the queue that is measured.
 */
export const attacked = (measure: Measure): Promise<readonly Row[]> =>
  withServer(
    ATTACKERS + OTHERS,
    async ({ server: { port }, user, users }) => {
      const { seconds, say } = measure;
      const run = (clients: readonly Client[]) => load({ port, seconds, rotates: false, clients });
      const others = users.slice(ATTACKERS).map((one, place) => at(`192.0.2.${place + 1}`, logIn(one)));
      const accounts = users.slice(0, ATTACKERS);
      const attacks: Readonly<Record<string, readonly Client[]>> = {
        account: accounts.map((_, place) => at(`198.51.100.${place + 1}`, logIn(user))),
        address: accounts.map((one) => at('203.0.113.1', logIn(one))),
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
        const refused = product.reduce((sum, one) => sum + one.others, 0);
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
