import { CoreError, unavailable } from '../../errors.ts';
import { isId } from '../../ids.ts';
import type { Account } from '../account.ts';
import type { Kit } from '../kit.ts';
import { isFounder, lastFounder, makeFounders } from './founders.ts';

/** Thrown to begin anew: a founder was to go, and the record had changed. Nobody outside sees it. */
const GIVE_WAY = new CoreError('conflict', 'contended', 'Founders change.');

const ATTEMPTS = 50;

/** Judges a change before it is written: why it may not be; undefined where a founder is left. */
export type Judge = (account: Account, next: Account) => Promise<CoreError | undefined>;

/**
 * Runs a change of the account with this id that `judge` allows, so that the account whose id is `actor`, one's own or
 * another, does not take the last founder away: then the change is refused with `conflict` (`last_founder`). Actors of
 * another form may: whoever has the command line, or the internal secret, can appoint anew.
 * See decision 0100.
 */
export const makeKeepFounder = (kit: Kit) => {
  const { clock, foundersInTurn } = kit;
  const founders = makeFounders(kit);

  const judgeFor = (actor: string): Judge => {
    let judged = 0;
    return async (account, next) => {
      judged += 1;
      const now = clock.now();
      if (!isId(actor) || !isFounder(account, now) || isFounder(next, now)) return undefined;
      if (judged > 1) return GIVE_WAY;
      return (await founders.oneStays(account, actor, now)) ? undefined : lastFounder();
    };
  };

  return async <T>(id: string, actor: string, change: (judge: Judge) => Promise<T>): Promise<T> => {
    const attempt = async (): Promise<{ readonly done: T } | undefined> => {
      try {
        return { done: await change(judgeFor(actor)) };
      } catch (error) {
        if (error === GIVE_WAY) return undefined;
        throw error;
      }
    };
    const first = await attempt();
    if (first !== undefined) return first.done;
    return foundersInTurn('founders', async () => {
      for (let attempts = 1; attempts < ATTEMPTS; attempts += 1) {
        await founders.giveWay(id);
        const next = await attempt();
        if (next !== undefined) return next.done;
      }
      throw unavailable('contended', 'Too many changes of founders at once; try again.', 1);
    });
  };
};
