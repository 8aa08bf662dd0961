import { requireArguments } from '../core/check-arguments.ts';
import { assemble, type Gatehouse } from './compose/assemble.ts';
import { openContext, openResources, withClosingScope } from './compose/open-resources.ts';
import { checkOverrides, type Overrides } from './compose/overrides.ts';
import { requireUnbundled } from './compose/require-unbundled.ts';
import { CONFIG, type Config } from './config.ts';

// `Composition`, `OwnParts` and `readOwnFiles` are earlier names, kept for programs that import them.
export type { ShownKey } from '../core/key-status.ts';
export type { Gatehouse, Gatehouse as Composition } from './compose/assemble.ts';
export type { Installation } from './compose/console-health-and-keys.ts';
export { previewMails, sendTestMail } from './compose/mail-preview.ts';
export { readOperatorFiles as readOwnFiles } from './compose/open-resources.ts';
export type { Overrides, Overrides as OwnParts } from './compose/overrides.ts';
export { makeKeyFile } from './installation/create-keys-and-secrets.ts';
export { makeLog } from './log/log.ts';
export type { StorePorts } from './store.ts';
export { StoreUnusable } from './store.ts';
export { openAggregate } from './telemetry/metrics.ts';

/**
 * Creates Gatehouse from settings: opens the resources that they name, chooses an adapter for each port, creates the modules
 * and their background work. An app's overrides take the place of our adapters. Throws `ConfigError`, `StoreUnusable`, and
 * `invalid` (`invalid_request`) for wrong settings and overrides.
 */
export const createGatehouse = async (config: Config, overrides: Overrides = {}): Promise<Gatehouse> => {
  requireUnbundled();
  requireArguments([config], { config: CONFIG });
  checkOverrides(overrides);
  return withClosingScope(async (scope) => {
    const context = openContext(config, overrides, scope);
    const resources = await openResources(context, scope);
    return assemble(context, resources, scope);
  });
};

/** The earlier name of `createGatehouse`, kept for programs that import it. */
export const compose = createGatehouse;
