import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { makeWebhookSender } from '../../../../adapters/signed-deliveries/webhook-sender.ts';
import { blockIn } from '../../../support/documented-block.ts';
import { freePort } from '../../../support/free-port.ts';
import { until } from '../../../support/until.ts';

const SECRETS = [9, 10].map((byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`);
const clock = { now: () => Date.now() };

describe('The receiver in Python that webhooks.md shows', () => {
  let receiver: ChildProcess;
  let port: number;
  let out = '';
  before(async () => {
    port = await freePort();
    const python = process.env.GATEHOUSE_TEST_STANDARD_WEBHOOKS ?? 'python3';
    receiver = spawn(python, ['-c', blockIn('docs/webhooks.md', 'python')], {
      env: { PORT: String(port), WEBHOOK_SECRET: SECRETS[1] },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    receiver.stdout?.setEncoding('utf8').on('data', (text) => {
      out += text;
    });
    await until(() => out.includes('ready'));
  });
  after(async () => {
    receiver.kill('SIGKILL');
    await once(receiver, 'exit');
  });

  const send = async (secrets: readonly string[]) => {
    const url = `http://127.0.0.1:${port}/hooks`;
    const sender = makeWebhookSender({ targets: [{ url, secrets }], allowPrivate: true, clock });
    try {
      const body = '{"type":"user.verified","data":{"userId":"ada"}}';
      return await sender.send(sender.idOf(url), { id: 'e1', body });
    } finally {
      sender.close();
    }
  };

  it('accepts a message that its secret signs besides another, and refuses any other', async () => {
    expect(await send(SECRETS)).to.deep.equal({ outcome: 'sent' });
    await until(() => out.includes('user.verified ada'));
    expect(await send(SECRETS.slice(0, 1))).to.have.property('failure', 'status_400');
  });
});
