import type { Dns } from '../../core/accounts/custom-domain/domain-record.ts';
import type { IdentityProviders, Mailer } from '../../core/accounts/ports.ts';
import type { BillingProvider, RateSource } from '../../core/billing/ports.ts';
import type { FileCache } from '../../core/files/ports.ts';
import type { Kms } from '../../core/ports.ts';
import type { WebhookSender } from '../../core/webhooks/ports.ts';
import { outcomeOfDelivery, withMethods } from '../calls/around-methods.ts';
import { eachProvider } from '../calls/each-provider.ts';
import { CALL_BUCKETS, type MetricsIn } from './prom-client.ts';
import { timed } from './timed.ts';

/** Ports that call something outside the process and the store. */
export interface Dependencies {
  readonly cache: FileCache;
  readonly dns: Dns;
  readonly kms: Kms;
  readonly mailer: Mailer;
  readonly provider: BillingProvider;
  readonly providers: IdentityProviders;
  readonly rateSource: RateSource;
  readonly webhookSender: WebhookSender;
}

/** Measures the calls of the ports. The label of a dependency is the name of its health check, if it has one. */
export const makeDependencyMetrics = ({ counter, histogram }: MetricsIn) => {
  const calls = histogram({
    name: 'gatehouse_dependency_call_duration_seconds',
    help: 'Time of calls to what stands outside: cache, kms, mail, billing, rates, dns, webhooks, identity providers',
    labelNames: ['dependency', 'method', 'outcome'],
    buckets: CALL_BUCKETS,
  });
  const cacheReads = counter({
    name: 'gatehouse_cache_reads_total',
    help: 'Reads of cached file records',
    labelNames: ['result'],
  });

  const measured = <Port extends object>(
    dependency: string,
    port: Port,
    outcomeOfValue?: (value: unknown) => string,
  ): Port =>
    timed(
      port,
      (method, outcome, took) => calls.labels(dependency, method, outcome).observe(took),
      outcomeOfValue,
    );

  const withCountedReads = (cache: FileCache): FileCache =>
    withMethods(cache, {
      get: async (id, generation) => {
        try {
          const entry = await cache.get(id, generation);
          cacheReads.inc({ result: entry === undefined ? 'miss' : 'hit' });
          return entry;
        } catch (error) {
          cacheReads.inc({ result: 'failure' });
          throw error;
        }
      },
    });

  return (ports: Dependencies): Dependencies => ({
    cache: withCountedReads(measured('cache', ports.cache)),
    dns: measured('dns', ports.dns),
    kms: measured('kms', ports.kms),
    mailer: measured('mail', ports.mailer, outcomeOfDelivery),
    provider: measured('billing', ports.provider),
    // The calls about each provider have a label of their own.
    providers: eachProvider(ports.providers, (id) => measured(`oidc:${id}`, ports.providers)),
    rateSource: measured('rates', ports.rateSource),
    webhookSender: measured('webhooks', ports.webhookSender, outcomeOfDelivery),
  });
};
