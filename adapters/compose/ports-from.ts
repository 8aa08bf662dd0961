import type { AccountsPorts, BillingPorts, FilesPorts } from '../../core/index.ts';

/** The ports of the account half, each from where it was provided. */
export const portsFrom = (
  part: <Name extends keyof AccountsPorts>(name: Name) => AccountsPorts[Name],
): AccountsPorts => ({
  clock: part('clock'),
  random: part('random'),
  log: part('log'),
  digest: part('digest'),
  sealer: part('sealer'),
  kms: part('kms'),
  limiter: part('limiter'),
  accounts: part('accounts'),
  directory: part('directory'),
  sessions: part('sessions'),
  presences: part('presences'),
  tries: part('tries'),
  objects: part('objects'),
  userFiles: part('userFiles'),
  userBilling: part('userBilling'),
  outbox: part('outbox'),
  audit: part('audit'),
  hasher: part('hasher'),
  blocklist: part('blocklist'),
  tokens: part('tokens'),
  totp: part('totp'),
  domains: part('domains'),
  customDomains: part('customDomains'),
  dns: part('dns'),
  ownHost: part('ownHost'),
  mailer: part('mailer'),
  events: part('events'),
  wake: part('wake'),
});

/** The ports of the file half, likewise. */
export const filesPortsFrom = (
  part: <Name extends keyof FilesPorts>(name: Name) => FilesPorts[Name],
): FilesPorts => ({
  clock: part('clock'),
  random: part('random'),
  log: part('log'),
  digest: part('digest'),
  kms: part('kms'),
  files: part('files'),
  activity: part('activity'),
  sealed: part('sealed'),
  epoch: part('epoch'),
  cache: part('cache'),
  owners: part('owners'),
});

/** The ports of the billing half, likewise. */
export const billingPortsFrom = (
  part: <Name extends keyof BillingPorts>(name: Name) => BillingPorts[Name],
): BillingPorts => ({
  clock: part('clock'),
  log: part('log'),
  provider: part('provider'),
  ledger: part('ledger'),
  links: part('links'),
  subscribers: part('subscribers'),
  rateSource: part('rateSource'),
  rates: part('rates'),
  wake: part('wake'),
});
