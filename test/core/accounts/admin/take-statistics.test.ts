import { expect } from 'chai';
import { daysBefore } from '../../../../core/daily-statistics.ts';
import { createAccounts } from '../../../../core/index.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { sampleAccount, sampleMail, sampleSession } from '../../../contracts/samples.ts';
import { openPorts } from '../open-core.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Noon of a UTC day. */
const NOON = Date.UTC(2026, 4, 28, 12);
const [TODAY, YESTERDAY] = ['2026-05-28', '2026-05-27'];

describe('The statistics job', () => {
  const open = () => {
    const context = openPorts();
    let now = NOON;
    const sealed = new Map<string | null, number>([['old', 7]]);
    const ports = {
      ...context.ports,
      clock: { now: () => now },
      userFiles: { ...context.ports.userFiles, countByKey: async () => sealed },
    };
    const { operate, background } = createAccounts(ports);
    let turns = 0;
    const take = async () => {
      for await (const _ of background.takeStatistics()) turns += 1;
    };
    return {
      ...{ operate, ports, sealed, take },
      turns: () => turns,
      pass: (milliseconds: number) => {
        now += milliseconds;
      },
      figures: () => operate.statistics({ days: 30 }),
      addAccount: (id: string, differences: Parameters<typeof sampleAccount>[1] = {}) =>
        ports.accounts.add(sampleAccount(id, { createdAt: now, ...differences })),
      addSession: (userId: string, id: string, ago: number) =>
        ports.sessions.add(sampleSession(id, { userId, lastUsedAt: now - ago, createdAt: now - ago }), 20),
    };
  };

  it('counts each user once, by the last use of a session that has not ended', async () => {
    const { addSession, ports, take, figures } = open();
    await addSession('a', '1', 40 * DAY);
    await addSession('a', '2', HOUR);
    await addSession('a', '3', 2 * HOUR);
    await addSession('b', '4', 3 * DAY);
    await addSession('c', '5', 8 * DAY);
    await addSession('d', '6', 31 * DAY);
    await addSession('e', '7', HOUR);
    await ports.sessions.end('e', '7', NOON);
    await take();
    const [day] = await figures();
    expect(day).to.include({ day: TODAY, active1: 1, active7: 2, active30: 3 });
  });

  it('counts users whose sessions span several pages, and yields after each page', async () => {
    const { addSession, take, figures, turns } = open();
    for (let user = 0; user < 333; user += 1) {
      for (let session = 0; session < 4; session += 1)
        await addSession(`user ${1_000 + user}`, `${session}`, session === 1 ? HOUR : 20 * DAY);
    }
    await take();
    expect((await figures())[0]).to.include({ active1: 333, active7: 333, active30: 333 });
    expect(turns()).to.be.at.least(3);
  });

  it('counts accounts by day of creation, tiers and mails', async () => {
    const { addAccount, ports, take, figures } = open();
    await addAccount('old', { createdAt: NOON - 5 * DAY, verified: true });
    await addAccount('before', { createdAt: NOON - 12 * HOUR - 1 });
    await addAccount('first', { createdAt: NOON - 12 * HOUR });
    await addAccount('second', { verified: true });
    for (const id of ['a', 'b', 'c']) await ports.outbox.add('first', sampleMail(id));
    await ports.outbox.bury('c', NOON, 'refused');
    await take();
    expect(await figures()).to.deep.equal([
      {
        ...{ day: TODAY, signUps: 2, verified: 1, total: 4, byTier: { free: 4 } },
        ...{ active1: 0, active7: 0, active30: 0, mailWaitingMost: 2, mailDead: 1 },
        ...{ cacheHits: 0, cacheMisses: 0 },
      },
    ]);
  });

  it('counts the sign-ups of yesterday again, and leaves a gap for a missed day', async () => {
    const { addAccount, ports, take, figures, pass } = open();
    await addAccount('first');
    await take();
    pass(11 * HOUR);
    await addAccount('late');
    pass(2 * HOUR);
    await ports.statistics.add(TODAY, { cacheHits: 2, cacheMisses: 1 });
    await take();
    const signUps = async () => (await figures()).map((row) => [row.day, row.signUps, row.total]);
    expect(await signUps()).to.deep.equal([
      [TODAY, 2, 1],
      [daysBefore(TODAY, -1), 0, 2],
    ]);
    expect((await figures())[0]).to.include({ cacheHits: 2, cacheMisses: 1 });
    pass(2 * DAY);
    await take();
    expect((await figures()).map(({ day }) => day)).to.deep.equal([
      TODAY,
      daysBefore(TODAY, -1),
      daysBefore(TODAY, -3),
    ]);
  });

  it('does not count again within half an hour unless a new day begins', async () => {
    const { addAccount, take, figures, pass } = open();
    await take();
    await addAccount('first');
    pass(29 * 60_000);
    await take();
    expect((await figures())[0]).to.include({ signUps: 0 });
    pass(60_000);
    await take();
    expect((await figures())[0]).to.include({ signUps: 1 });
    pass(11 * HOUR + 25 * 60_000);
    await take();
    pass(10 * 60_000);
    await take();
    expect(await figures()).to.have.lengthOf(2);
  });

  it('keeps 400 days, including today', async () => {
    const { ports, take, pass } = open();
    await take();
    pass(DAY);
    await take();
    const days = async () => (await ports.statistics.list('2000-01-01', 10)).map(({ day }) => day);
    const next = daysBefore(TODAY, -1);
    pass(398 * DAY);
    await take();
    expect(await days()).to.deep.equal([TODAY, next, daysBefore(TODAY, -399)]);
    pass(DAY);
    await take();
    expect(await days()).to.deep.equal([next, daysBefore(TODAY, -399), daysBefore(TODAY, -400)]);
  });

  it('lists the requested number of days, and refuses more than 400', async () => {
    const { operate, take, pass } = open();
    await take();
    pass(DAY);
    await take();
    expect((await operate.statistics({ days: 2 })).map(({ day }) => day)).to.deep.equal([
      TODAY,
      daysBefore(TODAY, -1),
    ]);
    expect(await operate.statistics({ days: 1 })).to.have.lengthOf(1);
    expect(await rejectionOf(() => operate.statistics({ days: 401 }))).to.include({
      code: 'invalid_request',
    });
    expect(daysBefore(TODAY, 1)).to.equal(YESTERDAY);
  });

  it('counts sealed secrets by master key, with the time of the count', async () => {
    const { addAccount, operate, take, sealed } = open();
    expect(await operate.sealedKeys()).to.equal(undefined);
    await addAccount('a', { twoFactorSetup: 'sealed' });
    await addAccount('b', { twoFactorSetup: 'sealed' });
    sealed.set(null, 1);
    await take();
    expect(await operate.sealedKeys()).to.deep.equal({
      countedAt: NOON,
      current: 'the only key',
      counts: [
        ['old', 7],
        [null, 1],
        ['the only key', 2],
      ],
    });
  });
});
