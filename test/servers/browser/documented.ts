import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rollup } from 'rollup';
import { blockIn } from '../../support/documented-block.ts';
import { root } from '../../support/tree/root.ts';

const PLACES: Readonly<Record<string, () => string>> = {
  'gatehouse/client': () => join(root, 'dist/servers/client/index.js'),
  'openapi-fetch': () => fileURLToPath(import.meta.resolve('openapi-fetch')),
};

/** The program of a page of the documents, as a bundler puts it into a page: `app.accounts`. */
export const bundleDocumented = async (document: string): Promise<string> => {
  const joined = await rollup({
    input: 'documented',
    plugins: [
      {
        name: 'documented',
        resolveId: (id) => (id === 'documented' ? id : (PLACES[id]?.() ?? null)),
        load: (id) => (id === 'documented' ? blockIn(document, 'js') : null),
      },
    ],
  });
  const { output } = await joined.generate({ format: 'iife', name: 'app' });
  return `${output[0].code}; globalThis.app = app;`;
};
