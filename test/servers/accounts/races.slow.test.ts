import { expect } from 'chai';
import { inRounds, race } from '../../contracts/race.ts';
import { useService } from '../../support/service.ts';
import { statusOfMe } from './second-factor/factor.ts';
import { describeSingleUses } from './single-use.ts';

describe('The account service in one process', () => {
  // A long queue, so that calls compete for the code and not for a place in the queue.
  const service = useService({ HASH_QUEUE: '100' });

  describeSingleUses(() => ({
    post: service().post,
    codeFor: (email) => service().codeFor(email),
    resetCodeFor: async (email) => {
      const { text } = await service().mailTo(email, 2);
      return /\b[0-9A-Z]{5}-[0-9A-Z]{5}\b/.exec(text)?.[0] ?? '';
    },
    now: () => service().clock.now(),
  }));
});

describe('The account service with REFRESH_GRACE_SECONDS', () => {
  const service = useService({ REFRESH_GRACE_SECONDS: '10' });

  it('returns one successor for 50 parallel uses of a refresh token', () =>
    inRounds(async () => {
      const { refreshToken } = await service().signUp();
      const replies = await race(50, () => service().post('/api/auth/refresh', { refreshToken }));

      expect(new Set(replies.map(({ status }) => status))).to.deep.equal(new Set([200]));
      const successors = new Set(replies.map(({ body }) => String(body.refreshToken)));
      expect(successors.size).to.equal(1);
      for (const { body } of replies) expect(await statusOfMe(service(), String(body.token))).to.equal(200);
      const next = await race(50, () =>
        service().post('/api/auth/refresh', { refreshToken: [...successors][0] }),
      );
      expect(new Set(next.map(({ body }) => body.refreshToken)).size).to.equal(1);
    }));
});
