import { oneOf, requireArguments, TEXT } from '../core/arguments.ts';
import { requireUnbundled } from './compose/bundle.ts';
import type { Composition } from './compose/composition.ts';
import { join } from './compose/join.ts';
import { openAll, openBase } from './compose/opened.ts';
import { type OwnParts, requireKnownParts } from './compose/own-parts.ts';
import { withResources } from './compose/resources.ts';
import { CONFIG, type Config } from './config.ts';
import { systemClock } from './crypto/clock.ts';
import { makeRandom } from './crypto/random.ts';
import { initKeyFile, type KeyKind } from './installation/first-start.ts';

export type { Composition } from './compose/composition.ts';
export type { Installation, ShownKey } from './compose/installation.ts';
export { readOwnFiles } from './compose/own-files.ts';
export type { OwnParts } from './compose/own-parts.ts';
export { previewMails, sendTestMail } from './compose/sample-mails.ts';
export { makeLog } from './log/log.ts';
export { openAggregate } from './metrics/metrics.ts';
export type { StorePorts } from './store-place.ts';
export { StoreUnusable } from './store-place.ts';

/** `initKeyFile` with this machine's clock and randomness. */
export const makeKeyFile = async (kind: KeyKind, path: string): Promise<boolean> => {
  requireArguments([kind, path], { kind: oneOf('signing', 'master', 'hash'), path: TEXT });
  return initKeyFile(kind, path, systemClock, makeRandom());
};

/**
 * Opens what the settings name and puts it together. Throws `ConfigError`, `StoreUnusable`, and `invalid`
 * (`invalid_request`) for settings and parts that are none.
 */
export const compose = async (config: Config, own: OwnParts = {}): Promise<Composition> => {
  requireUnbundled();
  requireArguments([config], { config: CONFIG });
  requireKnownParts(own);
  return withResources(async (resources) => {
    const base = openBase(config, own, resources);
    return join(base, await openAll(base, resources), resources);
  });
};
