import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openTestService, type TestService, type User } from '../../../support/service.ts';

const ROUNDS = 60;
/** The largest ratio of medians on a busy machine. Without a hash, unknown emails would take a tenth of the time. */
const FACTOR = 1.5;

/** The path and body of the call in a round. */
type Call = (round: number) => readonly [path: string, body: object];

const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

describe('The duration of a login', () => {
  let folder: string;
  let service: TestService;
  let cheapHashUser: User;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-time-'));
    service = await openTestService({ SCRYPT: 'ln=9,r=8,p=1' }, folder);
    cheapHashUser = await service.signUp({ email: 'foreign@example.com' });
    await service.close();
    service = await openTestService({ SCRYPT: 'ln=12,r=8,p=1' }, folder);
  });
  after(async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Median milliseconds of refused calls by kind. The kinds alternate. */
  const measure = async (kinds: Readonly<Record<string, Call>>): Promise<Record<string, number>> => {
    const times = new Map<string, number[]>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const turns = Object.entries(kinds);
      if (round % 2 === 1) turns.reverse();
      for (const [kind, callOf] of turns) {
        const [path, body] = callOf(round);
        const startedAt = performance.now();
        const { status } = await service.post(`/api/auth/${path}`, body);
        times.set(kind, [...(times.get(kind) ?? []), performance.now() - startedAt]);
        expect(status).to.equal(401);
      }
    }
    return Object.fromEntries([...times].map(([kind, all]) => [kind, median(all)]));
  };
  const logIn = (email: string) => ['login', { email, password: 'a wrong password' }] as const;

  it('does not reveal whether an email is known or verified', async () => {
    const { email } = await service.signUp();
    const waiting = 'waiting@example.com';
    await service.post('/api/auth/register', { email: waiting, password: 'correct horse battery' });
    await service.mailTo(waiting);
    const medians = await measure({
      known: () => logIn(email),
      unknown: (round) => logIn(`nobody${round}@example.com`),
      waiting: () => logIn(waiting),
    });
    const all = Object.values(medians);
    expect(all).to.have.lengthOf(3);
    expect(Math.max(...all) / Math.min(...all), JSON.stringify(medians)).to.be.below(FACTOR);
  });

  it('does not reveal whether the stored hash is cheaper', async () => {
    const { email } = await service.signUp();
    const { standard = 0, cheaper = 0 } = await measure({
      standard: () => logIn(email),
      cheaper: () => logIn(cheapHashUser.email),
    });
    const ratio = Math.max(standard, cheaper) / Math.min(standard, cheaper);
    expect(ratio, JSON.stringify({ standard, cheaper })).to.be.below(FACTOR);
  });

  it('includes a password hash for an unknown email', async () => {
    const { hashed = 0, unhashed = 0 } = await measure({
      hashed: (round) => logIn(`nobody${round + ROUNDS}@example.com`),
      unhashed: () => ['refresh', { refreshToken: 'made up' }],
    });
    expect(hashed).to.be.above(3 * unhashed);
  });
});
