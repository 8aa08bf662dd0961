import type { ServiceHealth } from '../../core/installation-health.ts';
import { readText } from '../calls/read-text.ts';

/** Reads the health of the metadata service; null if no setting names its address. Does not throw. */
export type AskMetadata = () => Promise<ServiceHealth | null>;

const DEADLINE_MS = 1_000;
const MOST_RESPONSE_BYTES = 16_384;

/** The name in the health response of the service. */
const SERVICE = 'drop-metadata';
const NAME = /^[a-z0-9_:.-]{1,64}$/i;

const UNREACHABLE: ServiceHealth = { service: SERVICE, status: 'unreachable', down: [], up: [] };
const WELL: ServiceHealth = { service: SERVICE, status: 'ok', down: [], up: [] };

/** Reads a health response. Another process wrote it, so names that operators will see are checked. */
const readHealth = (text: string): ServiceHealth => {
  const health: unknown = JSON.parse(text);
  if (typeof health !== 'object' || health === null || !('status' in health)) return UNREACHABLE;
  if (health.status === 'ok') return WELL;
  const down: readonly unknown[] = 'down' in health && Array.isArray(health.down) ? health.down : [];
  const names = down.filter((name): name is string => typeof name === 'string' && NAME.test(name));
  return { service: SERVICE, status: 'degraded', down: names, up: [] };
};

export const makeAskMetadata = (url: string | null): AskMetadata => {
  if (url === null) return async () => null;
  const address = `${url.replace(/\/+$/, '')}/health`;

  const ask = async (): Promise<ServiceHealth> => {
    const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(DEADLINE_MS) });
    // A rate-limited service is up.
    if (response.status === 429) return WELL;
    if (!response.ok) return UNREACHABLE;
    return readHealth(
      await readText(response, MOST_RESPONSE_BYTES, () => new Error('The health response is too long.')),
    );
  };

  return () => ask().catch(() => UNREACHABLE);
};
