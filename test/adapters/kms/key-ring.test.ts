import { expect } from 'chai';
import { WrongFile } from '../../../adapters/files/watched-file.ts';
import { makeKeyRing, parseKeyRing, retireKey, rotateKeyRing } from '../../../adapters/kms/key-ring.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 0, 1);

describe('A master key ring', () => {
  it('begins with one key of 32 random bytes', () => {
    const ring = makeKeyRing(NOW);
    expect(ring.keys).to.have.length(1);
    expect(ring.keys[0]).to.include({ id: ring.current, createdAt: '2026-01-01T00:00:00.000Z' });
    expect(Buffer.from(ring.keys[0]?.key ?? '', 'base64')).to.have.length(32);
    expect(makeKeyRing(NOW).keys[0]?.key).to.not.equal(ring.keys[0]?.key);
  });

  it('is read as it was written', () => {
    const first = makeKeyRing(NOW);
    const ring = retireKey(rotateKeyRing(first, NOW), first.current, NOW);
    expect(parseKeyRing(JSON.stringify(ring))).to.deep.equal(ring);
  });

  it('keeps its keys when it is rotated', () => {
    const first = makeKeyRing(NOW);
    const second = rotateKeyRing(first, NOW + DAY);
    expect(second.keys[0]).to.deep.equal(first.keys[0]);
    expect(second.current).to.equal(second.keys[1]?.id);
    expect(second.current).to.not.equal(first.current);
  });

  it('keeps a retired key for 30 days', () => {
    const first = makeKeyRing(NOW);
    const second = rotateKeyRing(first, NOW);
    const third = rotateKeyRing(retireKey(second, first.current, NOW), NOW);
    expect(third.keys[0]?.retiredAt).to.equal('2026-01-01T00:00:00.000Z');
    const ids = (now: number) => retireKey(third, second.current, now).keys.map((key) => key.id);
    expect(ids(NOW + 30 * DAY - 1)).to.include(first.current);
    expect(ids(NOW + 30 * DAY)).to.not.include(first.current);
  });

  it('keeps the time at which a key was retired first', () => {
    const first = makeKeyRing(NOW);
    const retired = retireKey(rotateKeyRing(first, NOW), first.current, NOW);
    expect(retireKey(retired, first.current, NOW + DAY)).to.deep.equal(retired);
  });

  it('refuses to retire the current key or one it has not', () => {
    const ring = makeKeyRing(NOW);
    expect(() => retireKey(ring, ring.current, NOW))
      .to.throw()
      .with.property('code', 'current_key');
    expect(() => retireKey(ring, 'other', NOW))
      .to.throw()
      .with.property('code', 'unknown_key');
  });

  const good = {
    id: 'one',
    key: Buffer.alloc(32, 1).toString('base64'),
    createdAt: '2026-01-01T00:00:00.000Z',
  };
  const withKeys = (...keys: unknown[]) => JSON.stringify({ current: 'one', keys });
  const wrong: Readonly<Record<string, string>> = {
    'no text': '',
    'half a text': withKeys(good).slice(0, 60),
    'no object': '[]',
    'no keys': '{"current":"one"}',
    'an empty list of keys': withKeys(),
    'a key that is no object': withKeys('one'),
    'an id with a dot': withKeys(good, { ...good, id: 'a.b' }),
    'an id twice': withKeys(good, good),
    'a key of 31 bytes': withKeys({ ...good, key: Buffer.alloc(31).toString('base64') }),
    'a key in hexadecimal digits': withKeys({ ...good, key: '00'.repeat(32) }),
    'no time': withKeys({ ...good, createdAt: 'yesterday' }),
    'a retired current key': withKeys({ ...good, retiredAt: good.createdAt }),
    'no current key': withKeys({ ...good, id: 'two' }),
  };
  for (const [what, text] of Object.entries(wrong)) {
    it(`is not read from a file with ${what}, and the error quotes none of it`, () => {
      expect(() => parseKeyRing(text))
        .to.throw(WrongFile)
        .with.property('message')
        .that.does.not.include(good.key.slice(0, 8));
    });
  }
});
