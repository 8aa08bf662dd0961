import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const CHILD = fileURLToPath(new URL('./log.child.js', import.meta.url));

const linesOf = (scenario: string): readonly Record<string, unknown>[] =>
  spawnSync(process.execPath, [CHILD, scenario], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

const eventsOf = (lines: readonly Record<string, unknown>[]) => lines.map(({ event }) => event);

/** The milliseconds between the times of the first two lines. */
const millisecondsBetween = ([first, second]: readonly Record<string, unknown>[]) =>
  Date.parse(String(second?.time)) - Date.parse(String(first?.time));

describe('The log of a process', () => {
  it('contains every line in order, each with the time of its event', () => {
    const lines = linesOf('nothing wrong');
    expect(eventsOf(lines)).to.deep.equal(['first', 'second', 'third']);
    expect(lines[0]).to.include({ level: 30, count: 1 });
    expect(millisecondsBetween(lines)).to.be.at.least(25);
  });

  it('contains an error after the lines before it', () => {
    const lines = linesOf('something wrong');
    expect(eventsOf(lines)).to.deep.equal(['first', 'second', 'third']);
    expect(lines[1]).to.deep.include({ level: 50 });
    expect(lines[1]?.error).to.include({ type: 'TypeError', message: 'no' }).and.to.have.property('stack');
    expect(millisecondsBetween(lines)).to.be.at.least(25);
  });

  it('contains the code of an unavailable dependency without a stack trace', () => {
    const [line] = linesOf('something down');
    const error = { type: 'CoreError', code: 'store_unavailable', message: 'Try again.' };
    expect(line?.error).to.deep.equal(error);
  });

  it('contains each known field and no unknown ones', () => {
    const lines = linesOf('every field and one more');
    expect(lines.map(({ level }) => level)).to.deep.equal([30, 40, 50]);
    for (const { level: _, pid: __, time, ...line } of lines) {
      expect(time).to.not.equal('never');
      expect(line).to.deep.equal({
        event: 'first',
        userId: 'a user',
        sessionId: 'a session',
        address: '::1',
        requestId: 'a request',
        reason: 'a reason',
        factors: ['password', 'totp'],
        count: 2,
        keyId: 'k1',
        id: 'an id',
        error: { type: 'CoreError', code: 'store_unavailable', message: 'Try again.' },
      });
    }
  });

  it('is written by a flush, even right after the start of the process', () => {
    expect(eventsOf(linesOf('flushed and killed'))).to.deep.equal(['first', 'request']);
  });

  it('is empty if nothing was logged', () => {
    expect(linesOf('nothing to flush')).to.deep.equal([]);
  });
});
