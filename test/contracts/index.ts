/**
 * Contract suites of the ports, published as `gatehouse/testing`. Each is a function of a name and a function that opens
 * an adapter; call it in a test file that mocha runs. The suites need chai and fast-check.
 */
export { testAccessTokens as accessTokensContract } from './access-tokens.ts';
export { accountListsContract } from './account-lists.ts';
export { accountStoreContract } from './account-store.ts';
/** Names of earlier releases, until 1.0. */
export { attemptsStoreContract, attemptsStoreContract as triesStoreContract } from './attempts-store.ts';
export { auditStoreContract } from './audit-store.ts';
export {
  cacheGenerationContract,
  cacheGenerationContract as cacheEpochContract,
} from './cache-generation.ts';
export { customerLinksContract } from './customer-links.ts';
export { testDigest as digestContract } from './digest.ts';
export { directoryContract } from './directory.ts';
export { testDomainNames as domainNamesContract } from './domain-names.ts';
export { domainStoreContract } from './domain-store.ts';
export { eventLedgerContract } from './event-ledger.ts';
export { fileActivityContract } from './file-activity.ts';
export { fileCacheContract, type OpenedCache } from './file-cache.ts';
export { fileCacheRaces } from './file-cache-races.ts';
export { fileStoreContract } from './file-store.ts';
export { flowStoreContract } from './flows.ts';
export { identityProvidersContract } from './identity-providers.ts';
export { keyValueStoreContract, keyValueStoreContract as findingsContract } from './key-value-store.ts';
export { testKms as kmsContract } from './kms.ts';
export { leasesContract, makeSettableClock, type SettableClock } from './leases.ts';
export { limiterContract, type OpenedLimiter, type OtherProcess } from './limiter.ts';
export { loginKeyStoreContract } from './login-keys.ts';
export { type MailerBench, mailerContract } from './mailer.ts';
export { objectStoreContract } from './object-store.ts';
export { outboxStoreContract } from './outbox-store.ts';
export { type HasherSetUp, testPasswordHasher as passwordHasherContract } from './password-hasher.ts';
export { planPricesContract } from './plan-prices.ts';
export { testRandom as randomContract } from './random.ts';
export { rateStoreContract } from './rate-store.ts';
export { sealedFilesContract } from './sealed-files.ts';
export { testSealer as sealerContract } from './sealer.ts';
export { sessionStoreContract } from './session-store.ts';
export {
  type OpenedSessions,
  sessionsWithAccountsContract,
  sessionsWithAccountsContract as presencesContract,
} from './sessions-with-accounts.ts';
export { statisticsContract } from './statistics.ts';
export { testTotp as totpContract } from './totp.ts';
export { webhookStoreContract } from './webhook-store.ts';
