import { expect } from 'chai';
import { race } from '../../../contracts/race.ts';
import type { Reply, RequestOptions, User } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import {
  BUSY_STATUSES,
  inContestedRounds,
  insist,
  isHashedTooLate,
  refuseStarved,
} from '../contested-rounds.ts';
import { openStores, type Stores } from '../stores.ts';
import { password, useTwoProcesses } from '../use-two-processes.ts';

const AT_ONCE = 50;

describe('Email changes in two processes on one store', function () {
  if (process.env.LONG !== undefined) this.timeout(1_800_000);
  const { folder, mails, ...processes } = useTwoProcesses();
  let stores: Stores;
  before(() => {
    stores = openStores(folder());
  });
  after(() => stores.close());

  let names = 0;
  const nextEmail = () => {
    names += 1;
    return `racer${names}@example.com`;
  };
  const post = (path: string, body: unknown, ask?: RequestOptions) =>
    processes.post(`/api/auth/${path}`, body, ask);
  const prepare = (path: string, body: unknown, ask?: RequestOptions) => insist(() => post(path, body, ask));
  const signUp = () => processes.signUp(nextEmail());
  /** The code of the `count`th mail to an address. */
  const codeOf = async (email: string, count = 1): Promise<string> => {
    const mailsTo = () => mails().mailsTo(email);
    await until(() => mailsTo().length >= count);
    return /\b\d{6}\b/.exec(mailsTo()[count - 1]?.text ?? '')?.[0] ?? '';
  };
  const requestChange = async ({ token }: User, to: string, count = 1): Promise<string> => {
    expect((await prepare('email', { email: to }, { token })).status).to.equal(200);
    return codeOf(to, count);
  };
  /** Half of the calls of each owner go to each process. */
  const confirmAll = async (owners: readonly (User & { readonly code: string })[]) => {
    const replies = await race(AT_ONCE, async (place) => {
      const owner = owners[Math.floor(place / 2) % owners.length] as (typeof owners)[number];
      const reply = await post('email/confirm', { code: owner.code }, { token: owner.token });
      return { owner, status: reply.status };
    });
    refuseStarved(replies);
    const successes = replies.filter(({ status }) => status === 200);
    expect(successes).to.have.length(1);
    const winner = successes[0]?.owner;
    const statusesOf = (isWinner: boolean) =>
      new Set(replies.filter(({ owner }) => (owner === winner) === isWinner).map(({ status }) => status));
    return { winner, statusesOf };
  };
  const isContended = ({ body }: Reply): boolean => String(body?.code) === 'contended';
  const within = (statuses: ReadonlySet<number>, allowed: readonly number[]) =>
    expect([...allowed, ...BUSY_STATUSES]).to.include.members([...statuses]);

  it(`accept one of ${AT_ONCE} confirmations, and mail one code to undo it`, () =>
    inContestedRounds(async () => {
      const [owner, to] = [await signUp(), nextEmail()];
      const code = await requestChange(owner, to);
      const { statusesOf } = await confirmAll([{ ...owner, code }]);
      within(statusesOf(true), [200, 401, 429]);
      expect(await stores.ownersOf(to)).to.deep.equal([owner.id]);
      expect((await stores.accounts.find(owner.id))?.formerEmails).to.have.length(1);
      await stores.settled();
      expect((await stores.actionsAbout(owner.id)).slice(-2)).to.deep.equal([
        'email.change_asked',
        'email.changed',
      ]);
      const sent = mails().mailsTo(owner.email);
      expect(sent.filter(({ text }) => text.includes('7 days'))).to.have.length(1);
    }));

  it('succeed for one of two accounts that request one email, also if it is registered unverified', () =>
    inContestedRounds(async (round) => {
      const [ada, bob, to] = [await signUp(), await signUp(), nextEmail()];
      const owners = [
        { ...ada, code: await requestChange(ada, to) },
        { ...bob, code: await requestChange(bob, to, 2) },
      ];
      if (round % 2 === 0) await prepare('register', { email: to, password });
      const { winner, statusesOf } = await confirmAll(owners);
      within(statusesOf(true), [200, 401, 429]);
      // 429 if ten calls of the winner came too late, and caused a lockout.
      within(statusesOf(false), [409, 429]);
      expect(await stores.ownersOf(to)).to.deep.equal([winner?.id]);
      const loser = owners.find(({ id }) => id !== winner?.id);
      expect((await stores.accounts.find(loser?.id ?? ''))?.email).to.equal(loser?.email);
    }));

  it(`accept one of ${AT_ONCE} undo calls, although others register the former email meanwhile`, () =>
    inContestedRounds(async () => {
      const [owner, to] = [await signUp(), nextEmail()];
      const code = await requestChange(owner, to);
      await prepare('email/confirm', { code }, { token: owner.token });
      const undo = await mails().resetCodeFor(owner.email);
      const registered: Reply[] = [];
      const undone: Reply[] = [];
      await race(AT_ONCE, async (place) => {
        const [list, path, body] =
          place % 10 === 0
            ? ([registered, 'register', { email: owner.email, password: `${password} ${place}` }] as const)
            : ([undone, 'email/undo', { email: owner.email, code: undo }] as const);
        list.push(await post(path, body));
      });
      refuseStarved(undone);
      expect(undone.filter(({ status }) => status === 200)).to.have.length(1);
      within(new Set(undone.map(({ status }) => status)), [200, 401, 429]);
      // Some passwords wait too long for the hasher. And the undo may remove the account of one registration while
      // another registration, which has read this account, replaces it.
      const finished = registered.filter((reply) => !isHashedTooLate(reply) && !isContended(reply));
      within(new Set(finished.map(({ status }) => status)), [201, 409]);
      expect((await stores.accounts.find(owner.id))?.email).to.equal(owner.email);
      expect(await stores.ownersOf(owner.email)).to.deep.equal([owner.id]);
    }));
});
