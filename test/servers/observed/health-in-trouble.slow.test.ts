import { join } from 'node:path';
import { expect } from 'chai';
import Libsql from 'libsql';
import { useService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

describe('The health route of a degraded service', () => {
  const service = useService();

  const health = async () => {
    const { status, body } = await service().request('GET', '/health');
    expect(status).to.equal(200);
    return body;
  };
  const ready = async () => (await service().request('GET', '/health/ready')).status;
  const untilOk = () => until(async () => String((await health()).status) === 'ok');
  const register = (name: string) =>
    service().post('/api/auth/register', {
      email: `${name}@example.com`,
      password: 'correct horse battery',
    });

  it('reports `degraded` and not ready while the store is locked, and recovers by itself', async () => {
    await register('before');
    expect(await ready()).to.equal(200);
    const connection = new Libsql(join(service().folder, 'gatehouse.db'));
    connection.exec('PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE');
    try {
      expect((await register('locked')).status).to.equal(503);
      await until(async () => (await ready()) === 503);
      expect(await health()).to.deep.include({ status: 'degraded', down: ['store'] });
    } finally {
      connection.exec('COMMIT');
      connection.close();
    }
    await untilOk();
    expect(await ready()).to.equal(200);
  });

  it('reports `degraded` but ready while the mail provider fails, and recovers', async () => {
    const { mail, clock } = service();
    mail.delivery = { outcome: 'again', after: null, failure: 'down' };
    for (const name of ['one', 'two', 'three']) await register(name);
    await until(async () => String((await health()).status) === 'degraded');
    expect(await health()).to.deep.include({ down: ['mail'] });
    expect(await ready()).to.equal(200);
    mail.delivery = { outcome: 'sent' };
    clock.advance(60_000);
    await untilOk();
  });
});
