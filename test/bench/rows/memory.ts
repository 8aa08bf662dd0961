import { setTimeout as pause } from 'node:timers/promises';
import { logIn, me, refresh, withServer } from '../ground.ts';
import { load } from '../load.ts';
import type { Measure } from '../measure.ts';
import { childrenOf, residentMegabytes } from '../resident.ts';
import { atMost, type Row } from '../verdict.ts';
import { hammer } from '../wrk.ts';

/** Other users than those that refresh: many logins of a user end the oldest sessions. */
const LOGGING_IN = 8;
const REFRESHING = 64;
/** The start is completed within this time. */
const SETTLED_MS = 1_000;

/** The memory of the process when it is ready, and after load. */
export const memory = ({ seconds, say }: Measure): Promise<readonly Row[]> =>
  withServer(LOGGING_IN + REFRESHING, async ({ server: { pid, port }, user, users }) => {
    const hashing = () => {
      const sizes = childrenOf(pid).map((child) => residentMegabytes(child).toFixed(1));
      return `hashing children: ${sizes.join(', ')} MB`;
    };
    say('memory: ready');
    await pause(SETTLED_MS);
    const [ready, childrenReady] = [residentMegabytes(pid), hashing()];
    say('memory: under load');
    await load({ port, seconds, rotates: false, clients: users.slice(0, LOGGING_IN).map(logIn) });
    await hammer(port, me(user), seconds);
    await load({ port, seconds, rotates: true, clients: users.slice(LOGGING_IN).map(refresh) });
    return [
      atMost(105, { row: 'memory when ready', unit: 'MB', product: ready, note: childrenReady }),
      atMost(220, {
        row: 'memory after load',
        unit: 'MB',
        product: residentMegabytes(pid),
        note: hashing(),
      }),
    ];
  });
