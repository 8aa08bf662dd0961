import { askOnce } from '../connection.ts';
import { logIn, withServer } from '../ground.ts';
import { type Measure, takeTurns } from '../measure.ts';
import { rawHashMilliseconds } from '../raw.ts';
import type { Client } from '../request.ts';
import { median } from '../statistics.ts';
import { atMostMore, type Row } from '../verdict.ts';

const ROUNDS = 15;

const millisecondsOf = async (port: number, client: Client): Promise<number> => {
  const startedAt = performance.now();
  await askOnce(port, client);
  return performance.now() - startedAt;
};

/** The time of a login without its hash. */
export const oneLogin = (measure: Measure): Promise<readonly Row[]> =>
  withServer(0, async ({ server, user }) => {
    const once = () => millisecondsOf(server.port, logIn(user));

    measure.say('one login: warming up');
    await once();
    await once();
    const { product, reference } = await takeTurns({ ...measure, rounds: ROUNDS }, 'one login', once, () =>
      rawHashMilliseconds(1),
    );
    return [
      atMostMore(8, {
        row: 'one login',
        unit: 'ms',
        product: median(product),
        reference: median(reference),
        against: 'one hash',
      }),
    ];
  });
