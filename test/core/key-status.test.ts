import { expect } from 'chai';
import { type KeyLine, withSealed } from '../../core/key-status.ts';

const line = (kind: KeyLine['kind'], id: string, state: KeyLine['state']): KeyLine => ({
  kind,
  id,
  state,
  createdAt: '2026-01-02T03:04:05.678Z',
});

const extra = (id: string, state: KeyLine['state'], sealed: number) => ({
  kind: 'master',
  id,
  state,
  createdAt: null,
  sealed,
});

describe('The list of keys for operators', () => {
  it('counts what each master key of the key file has sealed, and contains missing keys', () => {
    const signing = line('signing', 'sign', 'current');
    const master = line('master', 'new', 'current');
    const unused = line('master', 'next', 'next');
    const sealed = new Map([
      ['new', 7],
      ['lost', 2],
      // These records were sealed by another service.
      [null, 9],
    ]);
    expect(withSealed([signing, master, unused], sealed, 'new')).to.deep.equal([
      signing,
      { ...master, sealed: 7 },
      { ...unused, sealed: 0 },
      extra('lost', 'unknown', 2),
    ]);
  });

  it('contains, without a key file, the current key and all keys that have sealed', () => {
    const signing = line('signing', 'sign', 'current');
    expect(withSealed([signing], new Map([['former', 4]]), 'now')).to.deep.equal([
      signing,
      extra('now', 'current', 0),
      extra('former', 'old', 4),
    ]);
    expect(withSealed([], new Map([['now', 1]]), 'now')).to.deep.equal([extra('now', 'current', 1)]);
  });
});
