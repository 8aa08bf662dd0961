import { inRounds } from '../../contracts/race.ts';
import { SHARED } from '../../support/composition.ts';
import type { Reply } from '../../support/service.ts';
import { callUntil } from '../../support/until.ts';

/** A server that suites share answers one call after the other: whom it does not get to in time is told to come again. */
export const BEHIND: readonly number[] = process.env[SHARED.mongodb] === undefined ? [] : [503];

/** Whether the hasher refused a password that waited two seconds for its turn, as on a machine that is busy elsewhere. */
export const isHashedTooLate = ({ body }: Pick<Reply, 'body'>): boolean =>
  ['busy', 'too_many_at_once'].includes(String(body?.code));

/** Asks again while the store or the hasher is behind with what it was left. */
export const insist = (call: () => Promise<Reply>): Promise<Reply> =>
  callUntil(call, (reply) => !BEHIND.includes(reply.status) && !isHashedTooLate(reply));

/** Thrown where all were told to come again: such a round shows nothing. */
class Starved extends Error {}

export const refuseStarved = (replies: readonly { readonly status: number }[]): void => {
  if (!replies.every(({ status }) => BEHIND.includes(status))) return;
  throw new Starved('All were told to come again.');
};

/** An answer before a race: where the store is behind with it, the round is begun anew. */
export const inTime = async (call: Promise<Reply>): Promise<Reply> => {
  const reply = await call;
  refuseStarved([reply]);
  return reply;
};

/** Rounds of a race; those that were starved are begun anew, three of them at the most. */
export const inContestedRounds = (round: (number: number) => Promise<void>): Promise<void> => {
  let starved = 0;
  const begin = async (number: number): Promise<void> => {
    try {
      await round(number);
    } catch (error) {
      starved += 1;
      if (!(error instanceof Starved) || starved > 3) throw error;
      await begin(number);
    }
  };
  return inRounds(begin);
};
