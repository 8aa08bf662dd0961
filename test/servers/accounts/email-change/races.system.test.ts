import { expect } from 'chai';
import { race } from '../../../contracts/race.ts';
import type { Ask, Reply, User } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import { BEHIND, inContestedRounds, insist, isHashedTooLate, refuseStarved } from '../behind.ts';
import { openStores, type Stores } from '../stores.ts';
import { password, useTwoProcesses } from '../use-two-processes.ts';

const AT_ONCE = 50;

describe('In two processes on one store', function () {
  if (process.env.LONG !== undefined) this.timeout(1_800_000);
  const { folder, mails, ...processes } = useTwoProcesses();
  let stores: Stores;
  before(() => {
    stores = openStores(folder());
  });
  after(() => stores.close());

  let names = 0;
  const next = () => {
    names += 1;
    return `racer${names}@example.com`;
  };
  const post = (path: string, body: unknown, given?: Ask) => processes.post(`/api/auth/${path}`, body, given);
  const prepare = (path: string, body: unknown, given?: Ask) => insist(() => post(path, body, given));
  const signUp = () => processes.signUp(next());
  /** The code of the `count`th mail to an address. */
  const codeOf = async (email: string, count = 1): Promise<string> => {
    const sent = () => mails().mailsTo(email);
    await until(() => sent().length >= count);
    return /\b\d{6}\b/.exec(sent()[count - 1]?.text ?? '')?.[0] ?? '';
  };
  const askFor = async ({ token }: User, to: string, count = 1): Promise<string> => {
    expect((await prepare('email', { email: to }, { token })).status).to.equal(200);
    return codeOf(to, count);
  };
  /** Of each owner half the calls go to either process. */
  const confirmAll = async (owners: readonly (User & { readonly code: string })[]) => {
    const replies = await race(AT_ONCE, async (place) => {
      const owner = owners[Math.floor(place / 2) % owners.length] as (typeof owners)[number];
      const reply = await post('email/confirm', { code: owner.code }, { token: owner.token });
      return { owner, status: reply.status };
    });
    refuseStarved(replies);
    const won = replies.filter(({ status }) => status === 200);
    expect(won).to.have.length(1);
    const winner = won[0]?.owner;
    const told = (mine: boolean) =>
      new Set(replies.filter(({ owner }) => (owner === winner) === mine).map(({ status }) => status));
    return { winner, told };
  };
  const isContended = ({ body }: Reply): boolean => String(body?.code) === 'contended';
  const within = (statuses: ReadonlySet<number>, allowed: readonly number[]) =>
    expect([...allowed, ...BEHIND]).to.include.members([...statuses]);

  it(`of ${AT_ONCE} confirmations of a new email one succeeds, and mails one way back`, () =>
    inContestedRounds(async () => {
      const [owner, to] = [await signUp(), next()];
      const code = await askFor(owner, to);
      const { told } = await confirmAll([{ ...owner, code }]);
      within(told(true), [200, 401, 429]);
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

  it('of two accounts that want one email one gets it, and a registration that nobody verified gives way', () =>
    inContestedRounds(async (round) => {
      const [ada, bob, to] = [await signUp(), await signUp(), next()];
      const owners = [
        { ...ada, code: await askFor(ada, to) },
        { ...bob, code: await askFor(bob, to, 2) },
      ];
      if (round % 2 === 0) await prepare('register', { email: to, password });
      const { winner, told } = await confirmAll(owners);
      within(told(true), [200, 401, 429]);
      // Held where ten of the winner's calls came too late.
      within(told(false), [409, 429]);
      expect(await stores.ownersOf(to)).to.deep.equal([winner?.id]);
      const loser = owners.find(({ id }) => id !== winner?.id);
      expect((await stores.accounts.find(loser?.id ?? ''))?.email).to.equal(loser?.email);
    }));

  it(`of ${AT_ONCE} that take a change back one succeeds, whoever registers the old email meanwhile`, () =>
    inContestedRounds(async () => {
      const [owner, to] = [await signUp(), next()];
      const code = await askFor(owner, to);
      await prepare('email/confirm', { code }, { token: owner.token });
      const undo = await mails().resetCodeFor(owner.email);
      const registered: Reply[] = [];
      const undone: Reply[] = [];
      await race(AT_ONCE, async (place) => {
        const [into, path, body] =
          place % 10 === 0
            ? ([registered, 'register', { email: owner.email, password: `${password} ${place}` }] as const)
            : ([undone, 'email/undo', { email: owner.email, code: undo }] as const);
        into.push(await post(path, body));
      });
      refuseStarved(undone);
      expect(undone.filter(({ status }) => status === 200)).to.have.length(1);
      within(new Set(undone.map(({ status }) => status)), [200, 401, 429]);
      // Passwords wait for their turn, and some for too long. And the change back may remove the account of one registration
      // while another one, which found it, wants to replace it.
      const finished = registered.filter((reply) => !isHashedTooLate(reply) && !isContended(reply));
      within(new Set(finished.map(({ status }) => status)), [201, 409]);
      expect((await stores.accounts.find(owner.id))?.email).to.equal(owner.email);
      expect(await stores.ownersOf(owner.email)).to.deep.equal([owner.id]);
    }));
});
