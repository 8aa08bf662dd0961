import { ConfigError } from '../config/config-error.ts';
import { WrongFile } from '../files/watched-file.ts';

/** Awaits `opening`. Throws `ConfigError` with the setting's name if its file is wrong. */
export const fromFile = async <T>(setting: string, opening: Promise<T>): Promise<T> => {
  try {
    return await opening;
  } catch (error) {
    throw error instanceof WrongFile ? new ConfigError([`${setting}: the file ${error.message}`]) : error;
  }
};
