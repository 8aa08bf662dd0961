import { expect } from 'chai';
import { createAccounts } from '../../../../core/index.ts';
import { race } from '../../../contracts/race.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { openPorts } from '../open-core.ts';

describe('The background check of the audit log', () => {
  const open = async () => {
    const context = openPorts();
    let wakes = 0;
    let now = 1_780_000_000_000;
    const ports = {
      ...context.ports,
      clock: { now: () => now },
      wake: () => {
        wakes += 1;
      },
    };
    const accounts = createAccounts(ports);
    await accounts.open();
    const { operate, background } = accounts;
    const addRows = async (times: number) => {
      const writes = Array.from({ length: times }, (_, place) =>
        operate.record('key.made', `key:${place}`, {}, { actor: 'tester' }),
      );
      await Promise.all(writes);
    };
    const run = async () => {
      for await (const _ of background.checkAudit());
    };
    return {
      ...{ ...context, ports, operate, background, addRows, run },
      wakes: () => wakes,
      pass: (milliseconds: number) => {
        now += milliseconds;
      },
    };
  };

  it('has the state `none` before its first start, then runs and keeps its verdict', async () => {
    const { addRows, operate, pass, run, wakes, lines } = await open();
    await addRows(3);
    const noCheck = { state: 'none', checked: 0, rows: 0, startedAt: null, verdict: null, endedAt: null };
    expect(await operate.showAuditCheck()).to.deep.equal(noCheck);
    await run();
    expect(await operate.showAuditCheck()).to.deep.equal(noCheck);

    const startedAt = '2026-05-28T20:26:40.000Z';
    const running = { ...noCheck, state: 'running', rows: 4, startedAt };
    expect(await operate.startAuditCheck()).to.deep.equal(running);
    expect(await operate.showAuditCheck()).to.deep.equal(running);
    expect(wakes()).to.equal(1);
    pass(5_000);
    await run();
    const verdict = await operate.verifyAudit();
    const finished = { ...running, state: 'done', checked: 4, verdict, endedAt: '2026-05-28T20:26:45.000Z' };
    expect(verdict).to.include({ intact: true, rows: 4 });
    expect(await operate.showAuditCheck()).to.deep.equal(finished);
    expect(lines.map(({ event }) => event)).to.include('audit.checked');

    const secondCheck = await operate.startAuditCheck();
    expect(secondCheck).to.deep.include({ state: 'running', checked: 0, verdict, endedAt: finished.endedAt });
  });

  it('refuses a second start while it is running', async () => {
    const { operate, run } = await open();
    const outcomes = await race(20, () =>
      operate.startAuditCheck().then(
        () => 'started',
        ({ kind, code }) => `${kind} ${code}`,
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'started')).to.have.lengthOf(1);
    expect(new Set(outcomes)).to.deep.equal(new Set(['started', 'conflict already_running']));
    await run();
    expect((await operate.startAuditCheck()).state).to.equal('running');
    expect(await rejectionOf(() => operate.startAuditCheck())).to.include({ code: 'already_running' });
  });

  it('reports its progress, and stops once another process has restarted it', async () => {
    const { addRows, background, operate, pass, run } = await open();
    await addRows(299);
    await operate.startAuditCheck();
    const interrupted = background.checkAudit();
    await interrupted.next();
    pass(1_000);
    await interrupted.next();
    expect(await operate.showAuditCheck()).to.deep.include({ state: 'running', checked: 100, rows: 300 });
    const restarted = background.checkAudit();
    await restarted.next();
    pass(1_000);
    await restarted.next();
    pass(1_000);
    // The interrupted check stops and writes nothing more.
    expect((await interrupted.next()).done).to.equal(true);
    for await (const _ of restarted);
    expect(await operate.showAuditCheck()).to.deep.include({ state: 'done', checked: 300 });
    await run();
  });

  it('names a broken row and logs it', async () => {
    const { addRows, operate, ports, lines } = await open();
    await addRows(2);
    const { audit } = ports;
    const tampered = {
      ...ports,
      audit: {
        ...audit,
        list: async (start: number, limit: number) =>
          (await audit.list(start, limit)).map((row) =>
            row.number === 2 ? { ...row, actor: 'other' } : row,
          ),
      },
    };
    await operate.startAuditCheck();
    for await (const _ of createAccounts(tampered).background.checkAudit());
    const { state, verdict } = await operate.showAuditCheck();
    expect(state).to.equal('done');
    expect(verdict?.broken).to.include({ number: 2, fault: 'altered' });
    expect(lines.filter(({ event }) => event === 'audit.broken')).to.have.lengthOf(1);
  });
});
