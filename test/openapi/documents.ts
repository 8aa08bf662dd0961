import { limits as rows } from '../../adapters/config/settings/limits.ts';
import { openTestService } from '../support/service.ts';
import { typesOf } from './client-types.ts';
import type { Document } from './document.ts';

/** The default numbers: a test service allows more. */
const limits = Object.fromEntries(
  Object.values(rows).map(({ name, default: number = '' }) => [name, number]),
);

const marked = (document: Document) =>
  `${JSON.stringify({ 'x-generated': 'by npm run openapi; change the routes', ...document }, null, 2)}\n`;

/** The files that `npm run openapi` writes, by their path: what both services serve on the default settings. */
export const generatedFiles = async (): Promise<ReadonlyMap<string, string>> => {
  const service = await openTestService(limits);
  try {
    const files = new Map<string, string>();
    for (const [name, url] of Object.entries({ accounts: service.url, metadata: service.metadataUrl })) {
      const answer = await fetch(`${url}/openapi.json`);
      const document: Document = JSON.parse(await answer.text());
      files.set(`docs/openapi-${name}.json`, marked(document));
      files.set(`servers/client/${name}.generated.ts`, typesOf(document, name));
    }
    return files;
  } finally {
    await service.close();
  }
};
