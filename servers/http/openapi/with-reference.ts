import { JSON_TYPE } from '../answer.ts';
import { type AnyRoute, type BucketName, route, tagged } from '../route.ts';
import { docsRoutes } from './docs-page.ts';
import { type DocumentParts, makeDocument } from './document.ts';

/** What the reference of a service is made of, beside its routes. */
export interface ReferenceParts extends Omit<DocumentParts, 'routes'> {
  /** The allowance that its own routes count in. */
  readonly bucket: BucketName;
}

/** The routes of a service, and with them those of its reference, which is made with the first request for it. */
export const withReference = (routes: readonly AnyRoute[], parts: ReferenceParts): readonly AnyRoute[] => {
  let document: Buffer | undefined;
  const documentRoute: AnyRoute = route({
    method: 'GET',
    path: '/openapi.json',
    summary: 'This description of the service, in OpenAPI 3.1',
    access: 'open',
    bucket: parts.bucket,
    answers: { 200: { description: 'The document.', types: ['application/json'] } },
    run: async () => {
      document ??= Buffer.from(JSON.stringify(makeDocument({ ...parts, routes: all })));
      return { status: 200, body: document, headers: { 'Content-Type': JSON_TYPE } };
    },
  });
  const all: readonly AnyRoute[] = [
    ...routes,
    ...tagged('Reference', [documentRoute, ...docsRoutes(parts.title, parts.bucket)]),
  ];
  return all;
};
