import { expect } from 'chai';
import { readTime } from '../../core/iso-times.ts';

describe('A time in user input', () => {
  it('is accepted as an ISO 8601 date, or a time with its zone', () => {
    expect(readTime('2026-05-01')).to.equal(Date.UTC(2026, 4, 1));
    expect(readTime('2026-05-01T12:30Z')).to.equal(Date.UTC(2026, 4, 1, 12, 30));
    expect(readTime('2026-05-01T12:30:15.250Z')).to.equal(Date.UTC(2026, 4, 1, 12, 30, 15, 250));
    expect(readTime('2026-05-01T12:30:15+02:00')).to.equal(Date.UTC(2026, 4, 1, 10, 30, 15));
    expect(readTime('2024-02-29')).to.equal(Date.UTC(2024, 1, 29));
  });

  it('is refused in any other form, and for days that do not exist', () => {
    const malformed = [
      '',
      'tomorrow',
      '2026',
      '2026-05-01T12:30',
      '2026-05-01 12:30Z',
      '1780000000000',
      '01/05/2026',
    ];
    const nonexistent = [
      '2026-02-29',
      '2026-04-31T00:00Z',
      '2026-13-01',
      '2026-00-10',
      '2026-05-00',
      '2026-05-01T25:00Z',
    ];
    for (const text of [...malformed, ...nonexistent]) expect(readTime(text), text).to.equal(undefined);
  });
});
