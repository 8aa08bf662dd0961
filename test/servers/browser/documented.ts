import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { blockIn } from '../../support/documented-block.ts';
import { root } from '../../support/tree/root.ts';

const PLACES: Readonly<Record<string, string>> = {
  documented: 'documented',
  'gatehouse/client': join(root, 'dist/servers/client/index.js'),
};

/** The program of a page of the documents, as a bundler puts it into a page: `app.accounts`. */
export const bundleDocumented = async (document: string): Promise<string> => {
  const joined = await rolldown({
    input: 'documented',
    plugins: [
      {
        name: 'documented',
        resolveId: (id) => PLACES[id] ?? null,
        load: (id) => (id === 'documented' ? blockIn(document, 'js') : null),
      },
    ],
  });
  const { output } = await joined.generate({ format: 'iife', name: 'app' });
  return `${output[0].code}; globalThis.app = app;`;
};
