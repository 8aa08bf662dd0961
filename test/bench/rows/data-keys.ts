import { againstKoa } from '../against-koa.ts';
import { askOnce } from '../connection.ts';
import { coreKeys } from '../core-keys.ts';
import { post, withMetadata } from '../file-ground.ts';
import { inFolder } from '../folder.ts';
import type { Measure } from '../measure.ts';
import { median } from '../statistics.ts';
import { atLeast, type Row } from '../verdict.ts';

const wrapping = post('/api/v1/dek/wrap', { dek: Buffer.alloc(32, 'k').toString('base64') });

const overHttp = (measure: Measure): Promise<readonly Row[]> =>
  inFolder((folder) =>
    withMetadata(folder, {}, async ({ port }) => {
      const { dekEnc } = JSON.parse(await askOnce(port, wrapping)) as { dekEnc: string };
      const unwrapping = post('/api/v1/dek/unwrap', { dekEnc });
      const wrap = { port, clients: [wrapping], row: 'POST /api/v1/dek/wrap', goal: 0.3 };
      const unwrap = { port, clients: [unwrapping], row: 'POST /api/v1/dek/unwrap', goal: 0.3 };
      return [await againstKoa(measure, wrap), await againstKoa(measure, unwrap)];
    }),
  );

/** Measures an app that embeds the core, against the bare cipher. */
const inTheCore = ({ rounds, seconds, say }: Measure): Promise<readonly Row[]> =>
  inFolder(async (folder) => {
    say('wrap and unwrap in the core');
    const rates = await coreKeys({ folder, seconds: seconds / 2, rounds });
    const compared = { unit: '/s', against: 'AES-256-GCM' } as const;
    return [
      atLeast(0.6, {
        ...compared,
        row: '  wrap in the core',
        product: median(rates.wrapped),
        reference: median(rates.sealed),
      }),
      atLeast(0.6, {
        ...compared,
        row: '  unwrap in the core',
        product: median(rates.unwrapped),
        reference: median(rates.opened),
      }),
    ];
  });

/** Wrapping and unwrapping of data keys under the local master key. */
export const dataKeys = async (measure: Measure): Promise<readonly Row[]> => [
  ...(await overHttp(measure)),
  ...(await inTheCore(measure)),
];
