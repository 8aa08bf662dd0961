import { expect } from 'chai';
import { ROUNDS } from '../../../support/rounds.ts';
import { useServerProcesses } from '../../../support/servers/server-process.ts';
import { ask } from '../../../support/service.ts';
import { useTempFolder } from '../../../support/temp-folder.ts';
import { until } from '../../../support/until.ts';
import { receiveWebhooks } from '../../../support/webhook-receiver.ts';

const SECRET = `whsec_${Buffer.alloc(32, 'of the tests').toString('base64')}`;
const USERS = 6;

describe('A server that is killed while it sends webhooks', () => {
  const processes = useServerProcesses();
  const folder = useTempFolder();

  it('sends every event after a restart, and repeats an event only under its id', async () => {
    const receiver = await receiveWebhooks();
    const settings = { WEBHOOK_URLS: `${receiver.url} ${SECRET}`, WEBHOOK_ALLOW_PRIVATE: 'on' };
    const idsByUser = () => {
      const users = new Map<string, Set<unknown>>();
      for (const { headers, body } of receiver.seen) {
        const { userId } = JSON.parse(body).data;
        users.set(userId, (users.get(userId) ?? new Set()).add(headers['webhook-id']));
      }
      return users;
    };
    try {
      let registrations = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        const server = await processes.start('accounts', folder(), settings);
        const before = receiver.seen.length;
        const registering = Array.from({ length: USERS }, async (_, place) => {
          const body = { email: `u${round}-${place}@example.com`, password: 'correct horse battery' };
          const reply = await ask(server.url, 'POST', '/api/auth/register', { body }).catch(() => undefined);
          if (reply?.status === 201) registrations += 1;
        });
        await until(() => receiver.seen.length - before >= round % USERS);
        server.signal('SIGKILL');
        await Promise.all([...registering, server.ended]);
      }
      await processes.start('accounts', folder(), settings);
      // An account may exist although its registration got no reply.
      await until(() => idsByUser().size >= registrations);
      expect(registrations).to.be.above(0);
      for (const ids of idsByUser().values()) expect(ids.size).to.equal(1);
    } finally {
      receiver.close();
    }
  });
});
