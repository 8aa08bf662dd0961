import { randomUUID } from 'node:crypto';
import { changeSecretFile, readOrMakeSecret } from '../../../adapters/files/create-or-replace-secret-file.ts';
import { unawaited } from '../../support/unawaited.ts';

// The child of create-or-replace-secret-file.system.test.ts: sends `up`, waits for a message, works and sends the results.
const [verb, path = '', count] = process.argv.slice(2);
const calls = Array.from({ length: Number(count) }, (_, number) => number);

const work: Readonly<Record<string, () => Promise<string[]>>> = {
  make: () => Promise.all(calls.map(() => readOrMakeSecret(path, randomUUID))),
  change: () =>
    Promise.all(
      calls.map(async () => {
        const id = randomUUID();
        await changeSecretFile(path, (text) => `${text}${id}\n`);
        return id;
      }),
    ),
};

process.once(
  'message',
  unawaited(async () => {
    const results = await work[verb ?? '']?.();
    process.send?.(results);
    process.disconnect();
  }),
);
process.send?.('up');
