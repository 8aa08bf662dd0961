import { expect } from 'chai';
import { makeCheckRound } from '../../../adapters/compose/health-checks.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';

const MINUTE = 60_000;

describe('The look at what the services stand on', () => {
  const makeLooks = () => {
    const log = makeRecordingLog();
    let now = 1_000_000;
    const up = { store: true, mail: true };
    const check = (name: 'store' | 'mail') => ({ name, check: async () => up[name] });
    const broken = { name: 'kms', check: async (): Promise<boolean> => Promise.reject(new Error('no')) };
    const look = makeCheckRound([check('store'), check('mail')], { clock: { now: () => now }, log });
    return {
      up,
      look,
      lookAtBroken: makeCheckRound([broken], { clock: { now: () => now }, log }),
      pass: (milliseconds: number) => {
        now += milliseconds;
      },
      lines: () => log.lines.splice(0).map(({ level, event, fields }) => [level, event, fields.id]),
    };
  };

  it('warns once of a dependency that is down, again every 15 minutes, and says that it is back', async () => {
    const { up, look, pass, lines } = makeLooks();
    await look();
    expect(lines()).to.deep.equal([]);
    up.mail = false;
    await look();
    expect(lines()).to.deep.equal([['warn', 'dependency.down', 'mail']]);
    for (let minute = 1; minute < 15; minute += 1) {
      pass(MINUTE);
      await look();
    }
    expect(lines()).to.deep.equal([]);
    pass(MINUTE);
    await look();
    await look();
    expect(lines()).to.deep.equal([['warn', 'dependency.down', 'mail']]);
    up.mail = true;
    await look();
    await look();
    expect(lines()).to.deep.equal([['info', 'dependency.back', 'mail']]);
  });

  it('tells of each by itself', async () => {
    const { up, look, pass, lines } = makeLooks();
    up.store = false;
    await look();
    pass(10 * MINUTE);
    up.mail = false;
    await look();
    pass(5 * MINUTE);
    await look();
    expect(lines().map(([, , id]) => id)).to.deep.equal(['store', 'mail', 'store']);
  });

  it('takes one that cannot be asked for down', async () => {
    const { lookAtBroken, lines } = makeLooks();
    await lookAtBroken();
    expect(lines()).to.deep.equal([['warn', 'dependency.down', 'kms']]);
  });

  it('warns once more after the clock was set back', async () => {
    const { up, look, pass, lines } = makeLooks();
    up.mail = false;
    await look();
    pass(-60 * MINUTE);
    await look();
    expect(lines()).to.have.length(2);
  });
});
