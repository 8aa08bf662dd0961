import { expect } from 'chai';
import { figure } from '../../../support/runner/figures.ts';
import { useService } from '../../../support/service.ts';
import { useStores } from '../stores.ts';

const isLong = process.env.LONG !== undefined;
const ROUNDS = isLong ? 500 : 5;
/** The largest ratio of medians. Only the long run compares times: in a short run the machine does other work. */
const FACTOR = 1.1;

const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

describe('A request for an email change', () => {
  const service = useService();
  const stores = useStores(service);

  it('gets equal replies, as fast for a taken email as for a free one', async function () {
    this.timeout(600_000);
    const { token } = await service().signUp();
    const { email: taken } = await service().signUp();
    const times = { taken: [] as number[], free: [] as number[] };
    const answers = new Set<string>();
    for (let round = 0; round < ROUNDS; round += 1) {
      // Otherwise the sixth request of a day is refused.
      await stores().attempts.removeUnder('email-changes:');
      const turns = [
        ['taken', taken],
        ['free', `free${round}@example.com`],
      ] as const;
      // The order alternates, so that neither kind always follows the other.
      for (const [kind, email] of round % 2 === 0 ? turns : turns.toReversed()) {
        const startedAt = performance.now();
        const { status, body } = await service().post('/api/auth/email', { email }, { token });
        times[kind].push(performance.now() - startedAt);
        answers.add(JSON.stringify({ status, ...body, email: String(body.email) === email }));
      }
    }
    expect([...answers]).to.have.length(1);
    expect(
      service().mails.filter(({ to, subject }) => to === taken && subject.includes('new')),
    ).to.have.length(0);
    if (!isLong) return;
    const [takenMs, freeMs] = [median(times.taken), median(times.free)];
    const ratio = Math.max(takenMs, freeMs) / Math.min(takenMs, freeMs);
    figure(
      `ask for another email, ${ROUNDS} of each: taken ${takenMs.toFixed(2)} ms, free ${freeMs.toFixed(2)} ms, ${ratio.toFixed(3)} ×`,
    );
    expect(ratio).to.be.below(FACTOR);
  });
});
