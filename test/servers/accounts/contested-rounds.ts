import { inRounds } from '../../contracts/race.ts';
import { SHARED } from '../../support/composition.ts';
import type { Reply } from '../../support/service.ts';
import { callUntil } from '../../support/until.ts';

/** The statuses of a busy store: a database server that suites share may not finish every call in time. */
export const BUSY_STATUSES: readonly number[] = process.env[SHARED.mongodb] === undefined ? [] : [503];

/** Whether the hasher refused a password that waited two seconds for its turn, as on a busy machine. */
export const isHashedTooLate = ({ body }: Pick<Reply, 'body'>): boolean =>
  ['busy', 'too_many_at_once'].includes(String(body?.code));

/** Repeats a call while the store or the hasher is busy. */
export const insist = (call: () => Promise<Reply>): Promise<Reply> =>
  callUntil(call, (reply) => !BUSY_STATUSES.includes(reply.status) && !isHashedTooLate(reply));

/** Thrown if the store was too busy for every call of a round, which then proves nothing. */
class Starved extends Error {}

export const refuseStarved = (replies: readonly { readonly status: number }[]): void => {
  if (!replies.every(({ status }) => BUSY_STATUSES.includes(status))) return;
  throw new Starved('The store was too busy for every call.');
};

/** The reply to a call that prepares a race. If the store is busy, the round starts again. */
export const inTime = async (call: Promise<Reply>): Promise<Reply> => {
  const reply = await call;
  refuseStarved([reply]);
  return reply;
};

/** The rounds of a race. At most three starved rounds start again. */
export const inContestedRounds = (round: (number: number) => Promise<void>): Promise<void> => {
  let starved = 0;
  const run = async (number: number): Promise<void> => {
    try {
      await round(number);
    } catch (error) {
      starved += 1;
      if (!(error instanceof Starved) || starved > 3) throw error;
      await run(number);
    }
  };
  return inRounds(run);
};
