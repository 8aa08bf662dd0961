import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'chai';
import Libsql from 'libsql';
import { deliverEvent, polarSettings } from '../../../support/deliver-event.ts';
import { newSubscription, subscriptionEvent } from '../../../support/servers/polar-events.ts';
import { useService } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';

describe('A delivery that cannot be stored', () => {
  const service = useService(polarSettings('http://127.0.0.1:9'));

  it('is answered with 503, and takes effect if it is sent again', async () => {
    const { url, folder, signUp, request } = service();
    const user = await signUp();
    const event = subscriptionEvent(
      'active',
      newSubscription({ userId: user.id, customerId: randomUUID() }, Date.now()),
      Date.now(),
    );
    const writer = new Libsql(join(folder, 'gatehouse.db'));
    writer.exec('PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE');
    try {
      expect((await deliverEvent(url, event)).status).to.equal(503);
    } finally {
      writer.exec('ROLLBACK');
      writer.close();
    }
    expect(await deliverEvent(url, event)).to.include({ status: 200 });
    await until(
      async () => (await request('GET', '/api/subscription', { token: user.token })).status === 200,
    );
  });
});
