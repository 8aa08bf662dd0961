import { expect } from 'chai';
import { figure } from '../../../support/runner/figures.ts';
import { useService } from '../../../support/service.ts';
import { useStores } from '../stores.ts';

const isLong = process.env.LONG !== undefined;
const ROUNDS = isLong ? 500 : 5;
/** How far medians may be apart. Times are looked at in the long run alone: a gate's machine does other work. */
const FACTOR = 1.1;

const median = (times: readonly number[]): number =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;

describe('An ask for another email', () => {
  const service = useService();
  const stores = useStores(service);

  it('takes as long, and is answered alike, whether the email is taken or free', async function () {
    this.timeout(600_000);
    const { token } = await service().signUp();
    const { email: taken } = await service().signUp();
    const times = { taken: [] as number[], free: [] as number[] };
    const answers = new Set<string>();
    for (let round = 0; round < ROUNDS; round += 1) {
      // Without it the sixth ask of a day is refused.
      await stores().attempts.removeUnder('email-changes:');
      const turns = [
        ['taken', taken],
        ['free', `free${round}@example.com`],
      ] as const;
      // In turns, so that none of them always follows the other.
      for (const [kind, email] of round % 2 === 0 ? turns : turns.toReversed()) {
        const began = performance.now();
        const { status, body } = await service().post('/api/auth/email', { email }, { token });
        times[kind].push(performance.now() - began);
        answers.add(JSON.stringify({ status, ...body, email: String(body.email) === email }));
      }
    }
    expect([...answers]).to.have.length(1);
    expect(
      service().mails.filter(({ to, subject }) => to === taken && subject.includes('new')),
    ).to.have.length(0);
    if (!isLong) return;
    const [one, other] = [median(times.taken), median(times.free)];
    const apart = Math.max(one, other) / Math.min(one, other);
    figure(
      `ask for another email, ${ROUNDS} of each: taken ${one.toFixed(2)} ms, free ${other.toFixed(2)} ms, ${apart.toFixed(3)} ×`,
    );
    expect(apart).to.be.below(FACTOR);
  });
});
