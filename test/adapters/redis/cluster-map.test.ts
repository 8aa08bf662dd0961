import { expect } from 'chai';
import { mergeMaps, ownersIn } from '../../../adapters/redis/cluster-map.ts';
import { slotOf, TAGS } from '../../../adapters/redis/hash-tags.ts';

const [TAG = ''] = TAGS;
const urlOf = (host: string | null, port: number) => `${host || 'asked'}:${port}`;

describe('The map of a Redis cluster', () => {
  it('contains the primary of each tag, not its replicas', () => {
    const owners = ownersIn(
      [
        [0, 8_191, ['10.0.0.1', 7_001, 'id', []], ['10.0.0.4', 7_004, 'id', []]],
        [8_192, 16_383, ['::1', 7_002, 'id', []]],
      ],
      urlOf,
    );
    expect([...owners.keys()]).to.deep.equal(TAGS);
    for (const tag of TAGS) {
      expect(owners.get(tag)).to.equal(slotOf(tag) < 8_192 ? '10.0.0.1:7001' : '::1:7002');
    }
  });

  it('uses the queried server for an empty host', () => {
    for (const host of ['', null]) {
      expect(ownersIn([[0, 16_383, [host, 7_001]]], urlOf).get(TAG)).to.equal('asked:7001');
    }
  });

  it('omits tags without a primary, or whose primary announces no name', () => {
    const slot = slotOf(TAG);
    expect(ownersIn([[slot, slot, ['10.0.0.1', 7_001]]], urlOf).size).to.equal(1);
    expect(ownersIn([], urlOf).size).to.equal(0);
    expect(ownersIn([[0, 16_383, ['?', 7_001]]], urlOf).size).to.equal(0);
  });

  const map = (url: string, epoch: number, owner: string) => ({
    url,
    epoch,
    owners: new Map([[TAG, owner]]),
  });

  it('prefers the servers with the newest epoch if another is cut off', () => {
    const maps = [map('a', 7, 'a'), map('b', 8, 'd'), map('c', 8, 'd')];
    expect(mergeMaps(maps).get(TAG)).to.equal('d');
    expect(mergeMaps([...maps].reverse()).get(TAG)).to.equal('d');
    expect(mergeMaps([...maps, map('d', 8, 'd')]).get(TAG)).to.equal('d');
  });

  it('names no primary that itself names another', () => {
    expect(mergeMaps([map('b', 8, 'a'), map('c', 8, 'a'), map('a', 8, 'd')]).get(TAG)).to.equal('d');
  });

  it('is that of the only server that answers', () => {
    expect(mergeMaps([map('b', 3, 'a')]).get(TAG)).to.equal('a');
  });
});
