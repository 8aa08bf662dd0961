import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeSqlEventLedger } from '../../../adapters/sql/event-ledger.ts';
import { openDatabase } from '../../../adapters/sqlite/database.ts';
import { newSubscription, subscriptionEvent } from '../../support/servers/polar-events.ts';
import { until } from '../../support/until.ts';
import { withServer } from '../ground.ts';
import type { Measure } from '../measure.ts';
import { runProgram } from '../program.ts';
import { atLeast, atMost, type Row } from '../verdict.ts';

export interface DeliveriesJob {
  readonly port: number;
  readonly secret: string;
  readonly perSecond: number;
  readonly seconds: number;
  /** Sent in turn, each with a new id. */
  readonly bodies: readonly string[];
}

export interface DeliveriesAnswer {
  readonly sent: number;
  /** The number of answers with 200. */
  readonly taken: number;
  /** Milliseconds from when a delivery was due to its answer. */
  readonly p99: number;
  /** Accepted deliveries a second, until the last answer. */
  readonly perSecond: number;
}

const USERS = 50;
/** The sandbox's monthly plan. */
const PRODUCT = '5a9db000-0000-4000-8000-000000000003';
/** Accepted deliveries must be applied within this time. */
const LIMIT_MS = 120_000;

/** Waits until all deliveries are applied, and returns how many were. */
const waitUntilApplied = async (folder: string, sent: number): Promise<number> => {
  const database = openDatabase({ folder });
  try {
    const ledger = makeSqlEventLedger(database);
    const done = async () => (await ledger.count('applied')) + (await ledger.count('ignored'));
    await until(async () => (await done()) >= sent || (await ledger.count('pending')) === 0, LIMIT_MS);
    return await done();
  } finally {
    await database.close();
  }
};

/** Signed deliveries of the payment provider, each on disk before its answer, sent at a fixed rate. */
export const deliveries = (measure: Measure): Promise<readonly Row[]> =>
  withServer(USERS, async ({ folder, server, users }) => {
    const perSecond = measure.full ? 1_000 : 300;
    const secret = readFileSync(join(folder, 'keys', 'webhook-secret'), 'utf8').trim();
    const now = Date.now();
    const bodies = users.map(({ id }) => {
      const fields = { userId: id, customerId: `customer-${id}`, productId: PRODUCT };
      return subscriptionEvent('updated', newSubscription(fields, now), now).body;
    });
    measure.say(`deliveries: ${perSecond} a second for ${measure.seconds} s`);
    const job = { port: server.port, secret, perSecond, seconds: measure.seconds, bodies };
    const {
      sent,
      taken,
      p99,
      perSecond: rate,
    } = await runProgram<DeliveriesJob, DeliveriesAnswer>('deliveries', job);
    const startedAt = performance.now();
    measure.say('deliveries: until all are applied');
    const lost = sent - (await waitUntilApplied(folder, sent));
    if (taken < sent || lost > 0) throw new Error(`${sent - taken} of ${sent} were refused, ${lost} lost.`);
    const settled = ((performance.now() - startedAt) / 1_000).toFixed(1);
    return [
      atMost(500, {
        row: `deliveries, ${perSecond} a second, p99`,
        unit: 'ms',
        product: p99,
        note: `all ${sent} applied ${settled} s after the last`,
      }),
      atLeast(0.95, {
        row: '  taken',
        unit: '/s',
        product: rate,
        reference: perSecond,
        against: 'what was sent',
      }),
    ];
  });
