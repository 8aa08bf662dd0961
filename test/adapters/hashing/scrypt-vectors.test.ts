import { expect } from 'chai';
import { startChildProcessRunner } from '../../../adapters/hashing/child-process-runner.ts';
import { memoryLimit } from '../../../adapters/hashing/hash-cost.ts';
import type { Cost } from '../../../adapters/hashing/phc.ts';
import type { StartHashRunner } from '../../../adapters/hashing/runner-with-deadline.ts';
import { startWorkerThreadRunner } from '../../../adapters/hashing/worker-thread-runner.ts';

// RFC 7914 section 12 without the last vector, which needs a gigabyte.
const VECTORS = [
  {
    password: '',
    salt: '',
    cost: { ln: 4, r: 1, p: 1 },
    key:
      '77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442' +
      'fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906',
  },
  {
    password: 'password',
    salt: 'NaCl',
    cost: { ln: 10, r: 8, p: 16 },
    key:
      'fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162' +
      '2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640',
  },
  {
    password: 'pleaseletmein',
    salt: 'SodiumChloride',
    cost: { ln: 14, r: 8, p: 1 },
    key:
      '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2' +
      'd5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887',
  },
];

interface Vector {
  readonly password: string;
  readonly salt: Uint8Array;
  readonly cost: Cost;
  readonly length: number;
}

const derive = async (start: StartHashRunner, { password, salt, cost, length }: Vector) => {
  const runner = start({ niceness: 0, deadline: 60_000, onGone: () => {} });
  const options = { N: 2 ** cost.ln, r: cost.r, p: cost.p, maxmem: memoryLimit(cost) };
  const key = await runner.derive({
    password,
    salt: Buffer.from(salt).toString('base64'),
    length,
    scheme: { kind: 'scrypt', ...options },
    standard: options,
  });
  await runner.end();
  if (key === undefined) throw new Error('The runner died.');
  return key;
};

describe('The vectors of RFC 7914', () => {
  for (const [name, start] of [
    ['a hashing child', startChildProcessRunner],
    ['a hashing thread', startWorkerThreadRunner],
  ] as const) {
    it(`are reproduced by ${name}`, async () => {
      for (const { password, salt, cost, key } of VECTORS) {
        const derived = await derive(start, {
          password,
          salt: new TextEncoder().encode(salt),
          cost,
          length: 64,
        });
        expect(Buffer.from(derived.key, 'base64').toString('hex')).to.equal(key);
      }
    });
  }
});
