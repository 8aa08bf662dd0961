import type { TestService } from '../../support/service.ts';
import { makeClient } from './client.ts';

/** Those of the records that are cached, found out by deleting them all. */
export const takeCached = async (
  service: TestService,
  ids: readonly string[],
): Promise<readonly string[]> => {
  const client = makeClient(service.metadataUrl);
  const entries = async () => (await service.composition.files.operate.cacheStats()).entries;
  const cached: string[] = [];
  for (const id of ids) {
    const before = await entries();
    await client.remove(id);
    if ((await entries()) < before) cached.push(id);
  }
  return cached;
};
