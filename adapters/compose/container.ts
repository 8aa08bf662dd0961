import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import type { FactoryProvider, ValueProvider } from 'tsyringe';
import { withPresentNames } from '../../core/former-port-names.ts';
import type { AccountsPorts, BillingPorts, Events, FilesPorts, WebhookSender } from '../../core/index.ts';
import { makePasskeys } from '../authenticators/passkeys.ts';
import { makeTotp } from '../authenticators/totp.ts';
import { makeDigest } from '../crypto/digest.ts';
import { makeSealer } from '../crypto/sealer.ts';
import { domainNames } from '../dns/idna.ts';
import { makeAccessTokens } from '../jwt/access-tokens.ts';
import { pacedGeneration } from '../session-cache/paced-generation.ts';
import { type StorePorts, storePortsOf } from '../store.ts';
import type { Context, OpenedResources } from './open-resources.ts';

/** Ports by which one module calls another, or wakes the background work: `modules.ts` makes them. */
type PortsBetweenModules = 'userFiles' | 'userBilling' | 'subscribers' | 'events' | 'wake';

/** All other ports of the modules. */
export interface Ports
  extends StorePorts,
    FilesPorts,
    Omit<AccountsPorts, PortsBetweenModules>,
    Omit<BillingPorts, PortsBetweenModules> {
  readonly webhookSender: WebhookSender;
  /** The listener of the embedding app. `modules.ts` joins it with the webhooks' into the `events` that modules call. */
  readonly events: Events;
}

/** A value that exists already, or a factory that runs once. */
type Registration<T> = ValueProvider<T> | FactoryProvider<T>;

/** Resolves each port by a token of its own. An override takes the place of the registration. */
export const resolvePorts = <T extends object>(
  registrations: { readonly [Name in keyof T]: Registration<T[Name]> },
  overrides: { readonly [Name in keyof T]?: T[Name] | undefined },
): T => {
  // By `require`, since Node.js reads each file of an imported CommonJS package twice, and the container has over forty.
  const require = createRequire(import.meta.url);
  require('reflect-metadata/lite');
  const { container, instanceCachingFactory } = require('tsyringe') as typeof import('tsyringe');
  const scope = container.createChildContainer();
  const resolve = <Name extends keyof T>(name: Name): T[Name] => {
    const token = Symbol(String(name));
    const registration = registrations[name];
    const override = overrides[name];
    if (override !== undefined) scope.register(token, { useValue: override });
    else if ('useValue' in registration) scope.register(token, registration);
    else scope.register(token, { useFactory: instanceCachingFactory(registration.useFactory) });
    return scope.resolve<T[Name]>(token);
  };
  const names = Object.keys(registrations) as (keyof T)[];
  return Object.fromEntries(names.map((name) => [name, resolve(name)])) as T;
};

/** Registers objects that exist already. */
const asValues = <T extends object>(ports: T): { readonly [Name in keyof T]: ValueProvider<T[Name]> } => {
  const entries = Object.entries(ports).map(([name, useValue]) => [name, { useValue }]);
  return Object.fromEntries(entries) as { [Name in keyof T]: ValueProvider<T[Name]> };
};

const registrationsOf = (
  { config, clock, log, random }: Context,
  resources: OpenedResources,
): { readonly [Name in keyof Ports]: Registration<Ports[Name]> } => {
  const { store, origin, hashKeys } = resources;
  return {
    ...asValues({
      ...store.ports,
      clock,
      log,
      random,
      kms: resources.kms,
      limiter: resources.limiter,
      hasher: resources.hashPool,
      blocklist: resources.blocklist,
      providers: resources.providers,
      domains: domainNames,
      dns: resources.dns,
      ownHost: origin.host,
      delay: (milliseconds: number) => delay(milliseconds),
      mailer: resources.mailer,
      mailTexts: resources.mailTexts,
      events: { publish: async () => undefined },
      cache: resources.cache,
      provider: resources.billing.provider,
      rateSource: resources.rateSource,
      webhookSender: resources.webhookSender,
    }),
    digest: { useFactory: () => makeDigest(hashKeys) },
    sealer: { useFactory: () => makeSealer(hashKeys) },
    tokens: {
      useFactory: () =>
        makeAccessTokens({
          keys: resources.signingKeys,
          issuer: origin.issuer,
          audience: config.tokenAudience,
          otherAudiences: config.tokenAudiences,
        }),
    },
    totp: { useFactory: () => makeTotp({ issuer: config.productName }) },
    passkeys: { useFactory: () => makePasskeys(config.passkeys) },
  };
};

/** The ports of the product, observed. Overrides that are not named here are already in `context` and `resources`. */
export const makePorts = (context: Context, resources: OpenedResources): Ports => {
  const { config, observation, overrides } = context;
  const ports = resolvePorts<Ports>(registrationsOf(context, resources), {
    dns: overrides.dns,
    providers: overrides.providers,
    events: overrides.events,
    ...withPresentNames(overrides.store ?? {}),
  });
  const stores = {
    ...storePortsOf(ports),
    // Only calls of objects in a bucket are traced.
    objects: config.objects === null ? ports.objects : observation.objects(ports.objects),
    // Each raise of the cache generation empties the cache, so this process raises it at most once a second.
    cacheGeneration: pacedGeneration(ports.cacheGeneration),
  };
  const { cache, dns, kms, mailer, provider, providers, rateSource, webhookSender } = ports;
  const dependencies = { cache, dns, kms, mailer, provider, providers, rateSource, webhookSender };
  return {
    ...ports,
    ...observation.stores(stores),
    ...observation.dependencies(dependencies),
    limiter: observation.limiter(ports.limiter),
  };
};
