import { CoreError, unavailable } from '../../../errors.ts';
import { type Account, isBanned, isDisabled } from '../../account.ts';
import type { DirectoryStart } from '../../directory.ts';
import { operatorRole } from '../../entitlement.ts';
import type { Kit } from '../../kit.ts';

export const lastFounder = () =>
  new CoreError('conflict', 'last_founder', 'This is the last founder: appoint another one first.');

/** Whether the account is a founder's who may act. */
export const isFounder = (account: Account, now: number): boolean =>
  account.deletedAt === null &&
  operatorRole(account.entitlements) === 'founder' &&
  !isBanned(account, now) &&
  !isDisabled(account, now);

const PAGE = 50;
const ATTEMPTS = 50;
const MOST_READS = 16;

/**
 * Keeps one founder, whatever processes do at once. Before one goes, another is written anew, unchanged: who is taken away
 * at the same time with that one as witness is then of an older version than was read, and that write does not happen.
 * See decision 0100.
 */
export const makeFounders = ({
  accounts,
  directory,
  random,
}: Pick<Kit, 'accounts' | 'directory' | 'random'>) => {
  const witness = async (id: string, now: number): Promise<boolean> => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const found = await accounts.find(id);
      if (found === undefined || !isFounder(found, now)) return false;
      if (await accounts.save(found)) return true;
    }
    throw unavailable('contended', 'Too many changes of this account at once; try again.', 1);
  };

  return {
    /** Lets others pass. Those who bar each other in step would do so for ever, so this takes a random time. */
    giveWay: async (id: string): Promise<void> => {
      const [reads = 0] = random.bytes(1);
      for (let read = 0; read < reads % MOST_READS; read += 1) await accounts.find(id);
    },
    /** Whether a founder is left when this one, as it was read, goes. Operators, who are few, are looked through. */
    oneStays: async (leaving: Account, actor: string, now: number): Promise<boolean> => {
      if (actor !== leaving.id && (await witness(actor, now))) return true;
      let start: DirectoryStart = { skip: 0 };
      for (;;) {
        const page = await directory.list({ operator: true }, start, PAGE);
        for (const one of page) {
          if (one.id !== leaving.id && isFounder(one, now) && (await witness(one.id, now))) return true;
        }
        const last = page.at(-1);
        if (last === undefined || page.length < PAGE) return false;
        start = { after: { createdAt: last.createdAt, id: last.id } };
      }
    },
  };
};
