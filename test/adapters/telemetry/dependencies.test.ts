import { expect } from 'chai';
import { noBilling } from '../../../adapters/billing/no-provider.ts';
import { makeKeyRing } from '../../../adapters/kms/key-ring.ts';
import { makeLocalKms } from '../../../adapters/kms/local.ts';
import { makeMemoryObjects } from '../../../adapters/memory/object-store.ts';
import { openTracing } from '../../../adapters/telemetry/tracing.ts';
import { sampleMessage } from '../../contracts/mailer.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { scriptedProviders } from '../../support/scripted-providers.ts';
import { openOtlpReceiver } from '../../support/servers/otlp-receiver.ts';

describe('Traced ports', () => {
  it('record a span for each call that leaves the process, and none for others', async () => {
    const receiver = await openOtlpReceiver();
    const settings = {
      setting: 'OTEL_TRACES_EXPORTER',
      url: `${receiver.url}/v1/traces`,
      headers: {},
      serviceName: 'test',
      version: '1',
    };
    const tracing = openTracing(settings, makeRecordingLog());
    const ring = makeKeyRing(Date.now());
    try {
      const { kms, mailer, provider, providers, rateSource } = tracing.dependencies({
        kms: makeLocalKms({ current: () => ring, refresh: async () => undefined }),
        mailer: { send: async () => ({ outcome: 'sent' }) },
        provider: noBilling,
        providers: scriptedProviders().port,
        rateSource: { latest: async () => ({ mid: '4', effectiveDate: '2026-01-01' }) },
      });
      kms.keyOf(await kms.seal(new Uint8Array(32), 'context'));
      await mailer.send(sampleMessage());
      await provider.stateOf('user');
      provider.rateLimitEndsInMs();
      provider.parseEvent({ id: 'a', body: '{}' });
      await provider.readDelivery({}, new Uint8Array(), 0).catch(() => undefined);
      await rateSource.latest();
      await providers.begin('example', { state: 's', nonce: 'n', verifier: 'v', proof: false });
      const objects = tracing.objects(makeMemoryObjects({ now: Date.now }));
      await objects.put('user/name.png', new Uint8Array(1));
      for await (const _ of objects.list());
      await tracing.close();
      expect(receiver.spans().map(({ name }) => name)).to.have.members([
        'kms.seal',
        'mail.send',
        'billing.stateOf',
        'rates.latest',
        'oidc:example.begin',
        'objects.put',
      ]);
    } finally {
      await receiver.close();
    }
  });
});
