import { expect } from 'chai';
import { AWS_TEST, openStrictAwsKms } from '../../support/servers/aws/strict-aws-kms.ts';
import type { StrictServer } from '../../support/servers/strict-server.ts';
import { openStrictVault, VAULT_TOKEN } from '../../support/servers/strict-vault.ts';
import { openTestService, type TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { logIn, signUpWithFactor } from '../accounts/second-factor/factor.ts';

type Start = () => Promise<{
  readonly server: StrictServer;
  readonly settings: Readonly<Record<string, string>>;
}>;

const startAws: Start = async () => {
  const server = await openStrictAwsKms();
  const { region, credentials } = AWS_TEST;
  const settings = {
    KMS: 'aws',
    AWS_KMS_KEY_ID: server.addKey(),
    AWS_REGION: region,
    AWS_ENDPOINT_URL: server.url,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };
  return { server, settings };
};

const startVault: Start = async () => {
  const server = await openStrictVault();
  server.addKey('drop');
  const settings = {
    KMS: 'vault',
    VAULT_ADDR: server.url,
    VAULT_TOKEN,
    VAULT_TRANSIT_KEY: 'drop',
  };
  return { server, settings };
};

for (const [name, start] of [
  ['aws', startAws],
  ['vault', startVault],
] as const) {
  describe(`A service with KMS=${name}`, () => {
    let server: StrictServer;
    let service: TestService;
    before(async () => {
      const started = await start();
      server = started.server;
      service = await openTestService(started.settings);
    });
    after(async () => {
      await service.close();
      await server.close();
    });

    it('encrypts second factors with the key service, and decrypts them there at sign-in', async () => {
      const { user, app } = await signUpWithFactor(service);
      const before = server.requests.length;
      expect(before).to.be.at.least(2);
      expect((await logIn(service, user, { verificationCode: app.fresh() })).status).to.equal(200);
      expect(server.requests.length).to.be.above(before);
    });

    it('serves accounts without a second factor while the key service fails, and recovers afterwards', async () => {
      const { user, app } = await signUpWithFactor(service);
      const plain = await service.signUp();
      server.fault = (response) => response.writeHead(500).end('{}');
      for (let count = 0; count < 3; count += 1) {
        const refused = await logIn(service, user, { verificationCode: app.fresh() });
        expect([refused.status, refused.body.code]).to.deep.equal([503, 'kms_unavailable']);
        expect(Number(refused.headers.get('retry-after'))).to.be.at.least(1);
      }
      expect((await logIn(service, plain)).status).to.equal(200);
      const { body } = await service.request('GET', '/health');
      expect([body.status, body.down]).to.deep.equal(['degraded', ['kms']]);
      expect((await service.request('GET', '/health/ready')).status).to.equal(200);
      server.fault = undefined;
      const canSignIn = async () =>
        (await logIn(service, user, { verificationCode: app.fresh() })).status === 200;
      await until(canSignIn);
      const isOk = async () => String((await service.request('GET', '/health')).body.status) === 'ok';
      await until(isOk);
    });

    it('starts while the key service is down', async () => {
      const { server: down, settings } = await start();
      await down.close();
      const early = await openTestService(settings);
      const user = await early.signUp();
      const { status, body } = await early.post('/api/auth/2fa', { enable: true }, { token: user.token });
      await early.close();
      expect([status, body.code]).to.deep.equal([503, 'kms_unavailable']);
    });

    it('does not call the key service for the health routes', async () => {
      const before = server.requests.length;
      await service.request('GET', '/health');
      await service.request('GET', '/health/ready');
      expect(server.requests).to.have.length(before);
    });
  });
}
