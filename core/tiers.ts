/**
 * The default tiers, the lowest first. Everybody has `free`; `enterprise` allows custom domains. To add a tier, add it
 * here.
 */
export const defaultTiers: readonly string[] = ['free', 'pro-lite', 'pro', 'enterprise'];
