import { config } from '../base/config.ts';

const USUAL = ['free', 'pro-lite', 'pro', 'enterprise'];

/** The tiers that this installation has. */
export const tiers = (): readonly string[] => config.console?.tiers ?? USUAL;
