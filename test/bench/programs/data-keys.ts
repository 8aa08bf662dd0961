/**
 * A program: wraps and unwraps data keys by the core and by the bare cipher, in turns. Answers with the rates.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { compose } from '../../../adapters/compose.ts';
import { readConfig } from '../../../adapters/config.ts';
import { unawaited } from '../../support/unawaited.ts';
import type { KeysAnswer, KeysJob } from '../core-keys.ts';
import { SETTINGS } from '../server.ts';

const CIPHER = 'aes-256-gcm';
const DEK = randomBytes(32).toString('base64');
/** As long as the associated data of the core. */
const AAD = randomBytes(52);
/** The number of calls between two reads of the clock. */
const BATCH = 100;

/** Calls a second. */
const rateOf = async (seconds: number, work: () => unknown): Promise<number> => {
  const startedAt = performance.now();
  let count = 0;
  while (performance.now() - startedAt < seconds * 1_000) {
    for (let call = 0; call < BATCH; call += 1) await work();
    count += BATCH;
  }
  return count / ((performance.now() - startedAt) / 1_000);
};

/** Calls a second without `await`, which takes time itself. */
const plainRateOf = (seconds: number, work: () => unknown): number => {
  const startedAt = performance.now();
  let count = 0;
  while (performance.now() - startedAt < seconds * 1_000) {
    for (let call = 0; call < BATCH; call += 1) work();
    count += BATCH;
  }
  return count / ((performance.now() - startedAt) / 1_000);
};

const key = randomBytes(32);
const plain = Buffer.from(DEK);

const seal = () => {
  const nonce = randomBytes(12);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: 16 }).setAAD(AAD);
  return { nonce, body: Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]) };
};

const open = ({ nonce, body }: ReturnType<typeof seal>) => {
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: 16 }).setAAD(AAD);
  decipher.setAuthTag(body.subarray(-16));
  return Buffer.concat([decipher.update(body.subarray(0, -16)), decipher.final()]);
};

process.once(
  'message',
  unawaited(async ({ folder, seconds, rounds }: KeysJob) => {
    const composition = await compose(
      readConfig({ ...SETTINGS, LOG_LEVEL: 'silent', DATA_DIR: folder }, folder),
    );
    const { wrapKey, unwrapKey } = composition.files;
    const { dekEnc } = await wrapKey({ dek: DEK });
    const sealed = seal();

    const wrap = () => rateOf(seconds, () => wrapKey({ dek: DEK }));
    const unwrap = () => rateOf(seconds, () => unwrapKey({ dekEnc }));
    await wrap();
    await unwrap();
    const answer: KeysAnswer = { wrapped: [], sealed: [], unwrapped: [], opened: [] };
    for (let round = 0; round < rounds; round += 1) {
      answer.wrapped.push(await wrap());
      answer.sealed.push(plainRateOf(seconds, seal));
      answer.unwrapped.push(await unwrap());
      answer.opened.push(plainRateOf(seconds, () => open(sealed)));
    }
    await composition.close();
    process.send?.(answer);
  }),
);
