import { config } from '../base/config.ts';

/** The tiers that this installation has. */
export const tiers = (): readonly string[] => config.console?.tiers ?? [];
