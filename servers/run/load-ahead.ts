import { setTimeout as wait } from 'node:timers/promises';
import { loadKoaBody } from '../http/input/koa-body.ts';

/** By then a started process has usually given its first answer, such as to a health check. */
const DELAY_MS = 100;

/** Loads the modules that the first request with a body needs, so that this request need not wait for them. */
export const loadAhead = async (): Promise<void> => {
  await wait(DELAY_MS, undefined, { ref: false });
  await import('../http/input/built-validators.ts');
  loadKoaBody();
};
