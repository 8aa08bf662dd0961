import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readConfig } from '../../../../adapters/config.ts';
import { startProgram } from '../../../embedding/programs.ts';
import { blockIn } from '../../../support/documented-block.ts';
import { freePort } from '../../../support/free-port.ts';
import { openTestService } from '../../../support/service.ts';
import { useTempFolder } from '../../../support/temp-folder.ts';
import { root } from '../../../support/tree/root.ts';
import { until } from '../../../support/until.ts';

const GUIDE = 'docs/webhooks.md';

describe('The guide to webhooks', () => {
  const folder = useTempFolder();

  it('shows a valid setting, and a receiver that gets the events of a sign-up', async () => {
    const typed = execFileSync('bash', ['-c', `${blockIn(GUIDE, 'sh')}printf %s "$WEBHOOK_URLS"`], {
      encoding: 'utf8',
    });
    const [target] = readConfig({ WEBHOOK_URLS: typed }, folder()).webhookUrls;
    expect(target?.url).to.equal('https://app.example.com/hooks');
    const secret = target?.secrets[0] ?? '';

    symlinkSync(join(root, 'node_modules'), join(folder(), 'node_modules'));
    writeFileSync(join(folder(), 'receiver.mjs'), blockIn(GUIDE, 'js'));
    const port = await freePort();
    const receiver = startProgram(folder(), ['receiver.mjs'], { PORT: String(port), WEBHOOK_SECRET: secret });
    const url = `http://127.0.0.1:${port}/hooks`;
    const service = await openTestService({
      WEBHOOK_URLS: `${url} ${secret}`,
      WEBHOOK_ALLOW_PRIVATE: 'on',
    });
    try {
      await until(() => receiver.out().includes('ready'));
      const user = await service.signUp();
      await until(() => receiver.out().includes(`user.verified ${user.id}`));
      expect(receiver.out()).to.include(`user.created ${user.id}`);
      expect((await fetch(url, { method: 'POST', body: '{}' })).status).to.equal(400);
    } finally {
      await service.close();
      receiver.child.kill('SIGKILL');
      await receiver.ended;
    }
  });
});
