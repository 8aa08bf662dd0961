import { randomBytes, randomInt } from 'node:crypto';
import { expect } from 'chai';
import { cbor } from '../../../support/passkeys/cbor.ts';
import { ROUNDS } from '../../../support/rounds.ts';
import { useService } from '../../../support/service.ts';
import { makePasskeyCalls, outcome, PASSKEYS_ON } from './passkey-calls.ts';

/** The processor time of one reply, during which the service answers no other call. */
const MAX_CPU_MS = 50;

const INVALID = [400, 'invalid_passkey'];

/** A COSE key with these members (RFC 9052 section 7). */
const cose = (...members: readonly (readonly [number, number | Buffer])[]) => cbor(new Map(members));
const ec = (x: Buffer, y: Buffer, curve = 1, algorithm = -7) =>
  cose([1, 2], [3, algorithm], [-1, curve], [-2, x], [-3, y]);
const rsa = (modulus: Buffer, exponent = Buffer.of(1, 0, 1)) =>
  cose([1, 3], [3, -257], [-1, modulus], [-2, exponent]);
const odd = (bytes: number) => {
  const number = randomBytes(bytes);
  number[0] = (number[0] ?? 0) | 128;
  number[bytes - 1] = (number[bytes - 1] ?? 0) | 1;
  return number;
};

/** CBOR that is nested deeply, or that announces more bytes than follow. */
const nested = (head: number, depth: number) => Buffer.concat([Buffer.alloc(depth, head), Buffer.of(0)]);
const promise = (head: number) => Buffer.concat([Buffer.of(head), Buffer.alloc(8, 255)]);

const HOSTILE: readonly (() => Buffer)[] = [
  () => rsa(odd(64)),
  () => rsa(odd(128)),
  () => rsa(Buffer.alloc(256)),
  () => rsa(odd(8_192)),
  () => rsa(odd(256), odd(8_192)),
  () => rsa(odd(256), Buffer.of(0)),
  () => ec(randomBytes(32), randomBytes(32)),
  () => ec(Buffer.alloc(32), Buffer.alloc(32)),
  () => ec(Buffer.alloc(32, 255), Buffer.alloc(32, 255)),
  () => ec(randomBytes(20_000), randomBytes(20_000)),
  () => ec(randomBytes(48), randomBytes(48), 2),
  () => ec(randomBytes(32), randomBytes(32), 1, -35),
  () => cose([1, 1], [3, -8], [-1, 6], [-2, randomBytes(33)]),
  () => cose([1, 4], [3, 5], [-1, randomBytes(32)]),
  () => cose([3, -7]),
  () => cose(),
  () => Buffer.alloc(0),
  () => randomBytes(randomInt(1, 30_000)),
  () => nested(0x81, 30_000),
  () => nested(0xa1, 30_000),
  () => nested(0xc1, 30_000),
  () => nested(0x9f, 30_000),
  ...[0x5b, 0x7b, 0x9b, 0xbb].map((head) => () => promise(head)),
];

/** Each input is sent a few times, and its fastest reply counts. */
const ANSWERS = process.env.LONG === undefined ? Math.max(4 * HOSTILE.length, ROUNDS) : 1_000;

describe('Registrations with invalid keys and hostile CBOR (B8)', function () {
  this.timeout(600_000);
  const service = useService(PASSKEYS_ON);
  const { begin, created, list, post } = makePasskeyCalls(service);

  type Begun = Awaited<ReturnType<typeof begin>>;

  /** Posts the bodies one after the other, and expects that each is refused within MAX_CPU_MS. */
  const refuseAll = async (bodyOf: (begun: Begun, place: number) => object) => {
    const user = await service().signUp();
    const begun = await begin(user);
    // The first registration loads the modules that check passkeys.
    await post('passkeys', created(begun, { key: cose() }).body, user);
    const fastest = new Map<number, number>();
    for (let number = 0; number < ANSWERS; number += 1) {
      const place = number % HOSTILE.length;
      const body = bodyOf(begun, place);
      const before = process.cpuUsage();
      const reply = await post('passkeys', body, user);
      const { user: userTime, system } = process.cpuUsage(before);
      expect(outcome(reply), `number ${place}`).to.deep.equal(INVALID);
      const cpuMs = (userTime + system) / 1_000;
      fastest.set(place, Math.min(cpuMs, fastest.get(place) ?? cpuMs));
    }
    // A slow input is slow each time; a single slow reply may be due to garbage collection.
    for (const [place, cpuMs] of fastest) expect(cpuMs, `number ${place}`).to.be.lessThan(MAX_CPU_MS);
    expect((await list(user)).body.passkeys).to.deep.equal([]);
    // The refusals did not spend the challenge.
    expect((await post('passkeys', created(begun).body, user)).status).to.equal(200);
  };
  const inputAt = (place: number) => HOSTILE[place]?.() ?? Buffer.alloc(0);

  it('are refused quickly if the key is the input', () =>
    refuseAll((begun, place) => created(begun, { key: inputAt(place) }).body));

  it('are refused quickly if the whole attestation is the input', () =>
    refuseAll((begun, place) => {
      const { flow, credential } = created(begun).body;
      const attestationObject = inputAt(place).toString('base64url');
      return { flow, credential: { ...credential, response: { ...credential.response, attestationObject } } };
    }));
});
