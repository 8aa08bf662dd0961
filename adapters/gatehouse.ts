import type { Gatehouse } from './compose/assemble.ts';
import type { Overrides } from './compose/overrides.ts';
import type { Config } from './config.ts';

export * from '../core/index.ts';
export type { Config, Gatehouse, Overrides };

/**
 * Creates Gatehouse from settings, as `createGatehouse` of `gatehouse/adapters` does. The adapters are loaded at the first
 * call, so that a program which needs the core alone never loads them.
 */
export const createGatehouse = async (config: Config, overrides: Overrides = {}): Promise<Gatehouse> => {
  const adapters = await import('./compose.ts');
  return adapters.createGatehouse(config, overrides);
};
