/**
 * The tiers without `TIERS`, the least first. `free` is what everybody has; `enterprise` opens custom domains. To add a
 * tier, add it here.
 */
export const defaultTiers: readonly string[] = ['free', 'pro-lite', 'pro', 'enterprise'];
