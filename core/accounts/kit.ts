import { type IdAt, makeIdAt, makeNewId } from '../ids.ts';
import { makeKeyedMutex } from '../keyed-mutex.ts';
import { type ChangeAccount, type ChangeUser, makeChangeAccount, makeChangeUser } from './change-account.ts';
import { makeFailing } from './failing.ts';
import type { AccountsPorts, Needs } from './needs.ts';
import { type Entries, makeEntries } from './pending.ts';
import type { AccountsPolicy } from './policy.ts';

/** The ports and policy together with the few tools that every use case works with. */
export interface Kit extends Needs {
  readonly entries: Entries;
  readonly idAt: IdAt;
  readonly change: ChangeAccount;
  readonly changeUser: ChangeUser;
  /** Says that work in the background failed, without filling the log. */
  readonly failing: ReturnType<typeof makeFailing>;
  /** A mutex per account, so that a process never relays the same entry twice at once. */
  readonly relayInTurn: ReturnType<typeof makeKeyedMutex>;
  /**
   * A mutex per login key, and per code of a trip. Claims need none to be right, but those that meet bar each other: of
   * many at once in a process, none would get through.
   */
  readonly claimInTurn: ReturnType<typeof makeKeyedMutex>;
  /** A mutex for changes of founders, of which several at once would bar each other. */
  readonly foundersInTurn: ReturnType<typeof makeKeyedMutex>;
}

export const makeKit = (ports: AccountsPorts, policy: AccountsPolicy): Kit => {
  const needs: Needs = { ...ports, policy, newId: makeNewId(ports.clock, ports.random) };
  const change = makeChangeAccount(needs);
  return {
    ...needs,
    entries: makeEntries(needs),
    idAt: makeIdAt(ports.random),
    change,
    changeUser: makeChangeUser(ports.accounts, change),
    failing: makeFailing(needs),
    relayInTurn: makeKeyedMutex(),
    claimInTurn: makeKeyedMutex(),
    foundersInTurn: makeKeyedMutex(),
  };
};
