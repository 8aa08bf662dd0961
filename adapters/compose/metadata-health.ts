import type { ServiceHealth } from '../../core/health.ts';

/** Asks the metadata service how it is; null where no setting says where it is. It does not throw. */
export type AskMetadata = () => Promise<ServiceHealth | null>;

/** Milliseconds. */
const DEADLINE = 1_000;
/** Bytes that an answer may have. */
const LONGEST = 16_384;

const SERVICE = 'drop-metadata';
const NAME = /^[a-z0-9_:.-]{1,64}$/i;

const UNREACHABLE: ServiceHealth = { service: SERVICE, status: 'unreachable', down: [], up: [] };
const WELL: ServiceHealth = { service: SERVICE, status: 'ok', down: [], up: [] };

/** What an answer says. Its text is of another process, and is shown to operators. */
const understand = (text: string): ServiceHealth => {
  const found: unknown = JSON.parse(text);
  if (typeof found !== 'object' || found === null || !('status' in found)) return UNREACHABLE;
  if (found.status === 'ok') return WELL;
  const down: readonly unknown[] = 'down' in found && Array.isArray(found.down) ? found.down : [];
  const names = down.filter((name): name is string => typeof name === 'string' && NAME.test(name));
  return { service: SERVICE, status: 'degraded', down: names, up: [] };
};

/** Asks at `METADATA_URL`, within a second. */
export const makeAskMetadata = (url: string | null): AskMetadata => {
  if (url === null) return async () => null;
  const address = `${url.replace(/\/+$/, '')}/health`;

  const ask = async (): Promise<ServiceHealth> => {
    const answer = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(DEADLINE) });
    // It answers, if only that it is asked too often.
    if (answer.status === 429) return WELL;
    const text = answer.ok ? await answer.text() : '';
    return text.length > LONGEST ? UNREACHABLE : understand(text);
  };

  return () => ask().catch(() => UNREACHABLE);
};
