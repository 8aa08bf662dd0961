import { expect } from 'chai';
import { WrongFile } from '../../../adapters/files/watched-file.ts';
import { makeKeyRing, parseKeyRing, retireKey, rotateKeyRing } from '../../../adapters/kms/key-ring.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 0, 1);

describe('A master key ring', () => {
  it('starts with one key of 32 random bytes', () => {
    const ring = makeKeyRing(NOW);
    expect(ring.keys).to.have.length(1);
    expect(ring.keys[0]).to.include({ id: ring.current, createdAt: '2026-01-01T00:00:00.000Z' });
    expect(Buffer.from(ring.keys[0]?.key ?? '', 'base64')).to.have.length(32);
    expect(makeKeyRing(NOW).keys[0]?.key).to.not.equal(ring.keys[0]?.key);
  });

  it('is parsed to the value that was written', () => {
    const first = makeKeyRing(NOW);
    const ring = retireKey(rotateKeyRing(first, NOW), first.current, NOW);
    expect(parseKeyRing(JSON.stringify(ring))).to.deep.equal(ring);
  });

  it('keeps its keys on rotation', () => {
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

  it('keeps the first retirement time of a key', () => {
    const first = makeKeyRing(NOW);
    const retired = retireKey(rotateKeyRing(first, NOW), first.current, NOW);
    expect(retireKey(retired, first.current, NOW + DAY)).to.deep.equal(retired);
  });

  it('refuses to retire the current key or an unknown one', () => {
    const ring = makeKeyRing(NOW);
    expect(() => retireKey(ring, ring.current, NOW))
      .to.throw()
      .with.property('code', 'current_key');
    expect(() => retireKey(ring, 'other', NOW))
      .to.throw()
      .with.property('code', 'unknown_key');
  });

  const validKey = {
    id: 'one',
    key: Buffer.alloc(32, 1).toString('base64'),
    createdAt: '2026-01-01T00:00:00.000Z',
  };
  const withKeys = (...keys: unknown[]) => JSON.stringify({ current: 'one', keys });
  const invalidFiles: Readonly<Record<string, string>> = {
    'no text': '',
    'a truncated text': withKeys(validKey).slice(0, 60),
    'a list instead of an object': '[]',
    'no keys': '{"current":"one"}',
    'an empty list of keys': withKeys(),
    'a key that is not an object': withKeys('one'),
    'an id with a dot': withKeys(validKey, { ...validKey, id: 'a.b' }),
    'an id twice': withKeys(validKey, validKey),
    'a key of 31 bytes': withKeys({ ...validKey, key: Buffer.alloc(31).toString('base64') }),
    'a key in hexadecimal digits': withKeys({ ...validKey, key: '00'.repeat(32) }),
    'no time': withKeys({ ...validKey, createdAt: 'yesterday' }),
    'a retired current key': withKeys({ ...validKey, retiredAt: validKey.createdAt }),
    'no current key': withKeys({ ...validKey, id: 'two' }),
  };
  for (const [defect, text] of Object.entries(invalidFiles)) {
    it(`is refused with ${defect}, and the error contains no key`, () => {
      expect(() => parseKeyRing(text))
        .to.throw(WrongFile)
        .with.property('message')
        .that.does.not.include(validKey.key.slice(0, 8));
    });
  }
});
