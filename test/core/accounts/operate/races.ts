import { expect } from 'chai';
import type { AccountsPorts, Operator } from '../../../../core/index.ts';
import { CoreError, createAccounts } from '../../../../core/index.ts';
import { inRounds, race } from '../../../contracts/race.ts';
import { caller } from '../open-core.ts';

const CLI = { actor: 'operator:cli' };
const AT_ONCE = 50;

type Process = ReturnType<typeof createAccounts>['operate'];

/** The acts that take a founder away, upon a user and by an operator. */
const TAKING: Readonly<Record<string, (process: Process, user: string, by: Operator) => Promise<unknown>>> = {
  dismiss: (process, user, by) => process.dismiss(user, by),
  'appoint as dev': (process, user, by) => process.appoint(user, 'dev', by),
  ban: (process, user, by) => process.ban(user, { reason: 'a quarrel', until: null }, by),
  delete: (process, user, by) => process.deleteUser(user, by),
};

/** What a call came to: `done`, or the code of its refusal. */
const outcomeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof CoreError) return error.code;
      throw error;
    },
  );

/** What operators do at once, in two processes: as many ports on one store. Call it inside `describe`. */
export const operatorsRace = (open: () => Promise<readonly AccountsPorts[]>): void => {
  let processes: readonly Process[] = [];
  let made = 0;
  before(async () => {
    processes = (await open()).map((ports) => createAccounts(ports).operate);
  });

  const processAt = (place: number): Process => {
    const process = processes[place % processes.length];
    if (process === undefined) throw new Error('No process is open.');
    return process;
  };

  const create = async (): Promise<string> => {
    made += 1;
    const email = `operator${made}-${process.pid}@example.com`;
    return (await processAt(0).createUser({ email, verified: true }, CLI)).userId;
  };
  const everFounders = new Set<string>();
  /** So many founders, who are the only ones. */
  const found = async (count: number): Promise<readonly string[]> => {
    for (const id of everFounders) if (await isFounder(id)) await processAt(0).dismiss(id, CLI);
    const ids = [];
    for (let place = 0; place < count; place += 1) {
      const id = await create();
      await processAt(0).appoint(id, 'founder', CLI);
      ids.push(id);
      everFounders.add(id);
    }
    return ids;
  };
  const isFounder = async (id: string): Promise<boolean> => {
    const user = await processAt(0)
      .showUser(id)
      .catch(() => undefined);
    const [flags] = user?.entitlements.map(({ accessFlags }) => accessFlags) ?? [];
    return flags?.operatorTeamRole === 'founder' && user?.banned?.inForce !== true;
  };

  it('changes a user once, of fifty acts upon what was seen before the first', () =>
    inRounds(async () => {
      const [target, ...operators] = [await create(), await create(), await create()];
      const { updatedAt: seen } = await processAt(0).showUser(target);
      const outcomes = await race(AT_ONCE, (place) => {
        const by = { actor: operators[place % 2] ?? '', seen, caller, reason: `act ${place}` };
        const tier = place % 3 === 0 ? 'pro' : 'enterprise';
        // Process and operator go apart, so that either operator acts in either process.
        const process = processAt(place >> 1);
        return outcomeOf(
          place % 5 === 0
            ? process.ban(target, { reason: by.reason, until: null }, by)
            : process.setTier(target, { tier }, by),
        );
      });
      expect(outcomes.filter((one) => one === 'done')).to.have.length(1);
      expect(outcomes.filter((one) => one === 'changed_meanwhile')).to.have.length(AT_ONCE - 1);
    }));

  for (const [name, take] of Object.entries(TAKING)) {
    for (const count of [2, 3]) {
      it(`leaves one of ${count} founders who ${name} each other`, () =>
        inRounds(async () => {
          const founders = await found(count);
          const outcomes = await race(count * 4, (place) => {
            const [actor, target] = [founders[place % count], founders[(place + 1) % count]];
            return outcomeOf(take(processAt(place), target ?? '', { actor: actor ?? '', caller }));
          });
          const left = [];
          for (const id of founders) if (await isFounder(id)) left.push(id);
          expect(left, outcomes.join()).to.have.length(1);
          expect(outcomes).to.include('last_founder');
        }));
    }
  }
};
