import { expect } from 'chai';
import { systemClock } from '../../../adapters/crypto/clock.ts';
import { makeDigest } from '../../../adapters/crypto/digest.ts';
import { makeRandom } from '../../../adapters/crypto/random.ts';
import { makeSealer } from '../../../adapters/crypto/sealer.ts';
import { testDigest } from '../../contracts/digest.ts';
import { testRandom } from '../../contracts/random.ts';
import { testSealer } from '../../contracts/sealer.ts';

testRandom('node:crypto', makeRandom);
testDigest('node:crypto', makeDigest);
testSealer('node:crypto', makeSealer);

const KEY = new Uint8Array(32).fill(7);

// The expected values were made with Python: later versions must still read stored data.
describe('The node:crypto adapters', () => {
  it('reproduce stored keyed digests', () => {
    expect(makeDigest([KEY]).keyed('code', '123456')).to.equal('KOizCt_tP2AUhQwAIFe6dWjt5d0MrQVqAeRV9bGWimo');
  });

  it('open stored sealed texts', () => {
    const sealed = 'AQABAgMEBQYHCAkKC_SiA-Elu4IxbpmCedDCon_L3wc-K8s';
    expect(makeSealer([KEY]).open(sealed, 'mail:1')).to.equal('482913');
  });

  it('throw without a key', () => {
    expect(() => makeDigest([])).to.throw(TypeError);
    expect(() => makeSealer([])).to.throw(TypeError);
  });

  it('return the time in epoch milliseconds', () => {
    const before = Date.now();
    expect(systemClock.now()).to.be.within(before, Date.now());
  });
});
