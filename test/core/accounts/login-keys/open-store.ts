import { findStore } from '../../../../adapters/choose-store.ts';
import { readConfig } from '../../../../adapters/config.ts';
import { makeRandom } from '../../../../adapters/crypto/random.ts';
import { makeRecordingLog } from '../../../support/recording-log.ts';

/** The store that the settings choose, with the other ports that a claim needs. */
export const openStore = async (folder: string, settings: Readonly<Record<string, string>>) => {
  const place = await findStore(readConfig({ ...settings, DATA_DIR: folder }, folder), {
    clock: { now: () => Date.now() },
    log: makeRecordingLog(),
    isServer: true,
  });
  const { ports } = await place.open();
  return { ports: { ...ports, random: makeRandom() }, close: () => place.close() };
};
