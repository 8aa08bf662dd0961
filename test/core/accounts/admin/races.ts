import { expect } from 'chai';
import { codeDigest } from '../../../../core/accounts/codes.ts';
import {
  type Accounts,
  type AccountsPorts,
  CoreError,
  createAccounts,
  type Principal,
} from '../../../../core/index.ts';
import { inRounds, race } from '../../../contracts/race.ts';
import { caller } from '../open-core.ts';

const CLI = { actor: 'operator:cli' };
const AT_ONCE = 50;

const PASSWORD = 'correct horse battery';
const [CODE, OTHER_CODE] = ['0'.repeat(24), '1'.repeat(24)];

type Process = Accounts;

interface Founder {
  readonly id: string;
  readonly who: Principal;
}

/** What takes a founder away, by another founder. */
const TAKING: Readonly<Record<string, (process: Process, user: Founder, by: Founder) => Promise<unknown>>> = {
  'dismiss each other': ({ operate }, { id }, by) => operate.dismiss(id, byOf(by)),
  'appoint each other as dev': ({ operate }, { id }, by) => operate.appoint(id, 'dev', byOf(by)),
  'ban each other': ({ operate }, { id }, by) =>
    operate.ban(id, { reason: 'a quarrel', until: null }, byOf(by)),
  'reset the second factor of each other': ({ operate }, { id }, by) =>
    operate.resetTwoFactor(id, { ...byOf(by), reason: 'a quarrel' }),
  'delete each other': ({ operate }, { id }, by) => operate.deleteUser(id, byOf(by)),
  'dismiss each other by access tokens': (process, { id }, { who }) =>
    process.setUserEntitlement(who, id, { service: 'DROP', accessFlags: {} }, caller),
  'delete their own accounts': (process, _, { who }) =>
    process.deleteAccount(who, { password: PASSWORD, verificationCode: OTHER_CODE }, caller),
};
const byOf = ({ id }: Founder) => ({ actor: id, caller });

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
  let stores: readonly AccountsPorts[] = [];
  let processes: readonly Process[] = [];
  let operatorCount = 0;
  before(async () => {
    stores = await open();
    // Of one clock: that of each goes on with every call, so that two would be minutes apart after many rounds.
    processes = stores.map((ports) => createAccounts({ ...ports, clock: stores[0]?.clock ?? ports.clock }));
  });

  const processAt = (place: number): Process => {
    const process = processes[place % processes.length];
    if (process === undefined) throw new Error('No process is open.');
    return process;
  };

  const create = async (): Promise<string> => {
    operatorCount += 1;
    const email = `operator${operatorCount}-${process.pid}@example.com`;
    return (await processAt(0).operate.createUser({ email, verified: true }, CLI)).userId;
  };
  /** The founders of the round before, of whom some may be left. */
  let lastFounders: readonly Founder[] = [];
  /** Gives an account a password and a second factor, of which the first recovery code is used by a login. */
  const signIn = async (id: string): Promise<Principal> => {
    const [ports] = stores;
    const account = await ports?.accounts.find(id);
    if (ports === undefined || account === undefined) throw new Error('There is no account.');
    const recovery = [CODE, OTHER_CODE].map((code) => codeDigest(ports.digest, 'recovery', id, code));
    const counts = { wrongInRow: 0, heldUntil: null, wrongToday: null, usedRecovery: [], lastStep: 0 };
    const twoFactor = { secret: null, recovery, ...counts };
    await ports.accounts.save({ ...account, passwordHash: `hash of ${PASSWORD}`, twoFactor });
    const login = { email: account.email, password: PASSWORD, verificationCode: CODE };
    const answer = await processAt(0).logIn(login, caller);
    if (!('token' in answer)) throw new Error('Not signed in.');
    return processAt(0).authenticate(answer.token);
  };
  /** So many founders who can enter the console, and who are the only ones. */
  const makeFounders = async (count: number): Promise<readonly Founder[]> => {
    for (const { id } of lastFounders) if (await isFounder(id)) await processAt(0).operate.dismiss(id, CLI);
    const founders: Founder[] = [];
    for (let place = 0; place < count; place += 1) {
      const id = await create();
      await processAt(0).operate.appoint(id, 'founder', CLI);
      founders.push({ id, who: await signIn(id) });
    }
    lastFounders = founders;
    return founders;
  };
  const isFounder = async (id: string): Promise<boolean> => {
    const user = await processAt(0)
      .operate.showUser(id)
      .catch(() => undefined);
    const [flags] = user?.entitlements.map(({ accessFlags }) => accessFlags) ?? [];
    const mayEnter = user?.banned?.inForce !== true && user?.twoFactorEnabled === true;
    return flags?.operatorTeamRole === 'founder' && mayEnter;
  };

  it('changes a user once, of fifty acts upon what was seen before the first', () =>
    inRounds(async () => {
      const [target, ...operators] = [await create(), await create(), await create()];
      const { updatedAt: seenAt } = await processAt(0).operate.showUser(target);
      const outcomes = await race(AT_ONCE, (place) => {
        const by = { actor: operators[place % 2] ?? '', seen: seenAt, caller, reason: `act ${place}` };
        const tier = place % 3 === 0 ? 'pro' : 'enterprise';
        // Process and operator go apart, so that either operator acts in either process.
        const process = processAt(place >> 1).operate;
        return outcomeOf(
          place % 5 === 0
            ? process.ban(target, { reason: by.reason, until: null }, by)
            : process.setTier(target, { tier }, by),
        );
      });
      expect(outcomes.filter((outcome) => outcome === 'done')).to.have.length(1);
      expect(outcomes.filter((outcome) => outcome === 'changed_meanwhile')).to.have.length(AT_ONCE - 1);
    }));

  for (const [name, take] of Object.entries(TAKING)) {
    for (const count of [2, 3]) {
      it(`leaves one of ${count} founders who ${name}`, () =>
        inRounds(async () => {
          const founders = await makeFounders(count);
          const outcomes = await race(count * 4, (place) => {
            const [actor, target] = [founders[place % count], founders[(place + 1) % count]];
            if (actor === undefined || target === undefined) throw new Error('There is no founder.');
            return outcomeOf(take(processAt(place), target, actor));
          });
          const remaining = [];
          for (const { id } of lastFounders) if (await isFounder(id)) remaining.push(id);
          expect(remaining, outcomes.join()).to.have.length(1);
          // Whoever was taken away before their own act has no right to it any more.
          expect(outcomes.join()).to.match(/last_founder|operators_only/);
        }));
    }
  }
};
