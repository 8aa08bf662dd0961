import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { blockIn } from '../../support/documented-block.ts';
import { root } from '../../support/tree/root.ts';

const MODULES: Readonly<Record<string, string>> = {
  documented: 'documented',
  'gatehouse/client': join(root, 'dist/servers/client/index.js'),
};

/** Bundles the program of a document for a page. Its exports are members of the global `app`. */
export const bundleDocumented = async (document: string): Promise<string> => {
  const build = await rolldown({
    input: 'documented',
    plugins: [
      {
        name: 'documented',
        resolveId: (id) => MODULES[id] ?? null,
        load: (id) => (id === 'documented' ? blockIn(document, 'js') : null),
      },
    ],
  });
  const { output } = await build.generate({ format: 'iife', name: 'app' });
  return `${output[0].code}; globalThis.app = app;`;
};
