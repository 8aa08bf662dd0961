import { SHARED } from '../../support/composition.ts';
import type { Reply } from '../../support/service.ts';
import { until } from '../../support/until.ts';

/** A server that suites share answers one call after the other: whom it does not get to in time is told to come again. */
export const BEHIND: readonly number[] = process.env[SHARED.mongodb] === undefined ? [] : [503];

/** Asks again while the store is behind with what it was left. */
export const insist = async (call: () => Promise<Reply>): Promise<Reply> => {
  let reply = await call();
  await until(async () => {
    if (BEHIND.includes(reply.status)) reply = await call();
    return !BEHIND.includes(reply.status);
  }, 60_000);
  return reply;
};
