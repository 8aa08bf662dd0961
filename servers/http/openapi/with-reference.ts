import { JSON_TYPE } from '../response-body.ts';
import { type AnyRoute, type BucketName, openRoute, tagged } from '../route.ts';
import { docsRoutes } from './docs-page.ts';
import { type DocumentParts, makeDocument } from './document.ts';

/** Configuration of a service's reference, beside its routes. */
export interface ReferenceParts extends Omit<DocumentParts, 'routes'> {
  /** The bucket of the reference's own routes. */
  readonly bucket: BucketName;
}

/** Adds the routes of the reference to those of a service. The reference is made on its first request. */
export const withReference = (routes: readonly AnyRoute[], parts: ReferenceParts): readonly AnyRoute[] => {
  let document: Buffer | undefined;
  const documentRoute: AnyRoute = openRoute({
    method: 'GET',
    path: '/openapi.json',
    summary: 'This description of the service, in OpenAPI 3.1',
    bucket: parts.bucket,
    answers: { 200: { description: 'The document.', types: ['application/json'] } },
    run: async () => {
      document ??= Buffer.from(JSON.stringify(makeDocument({ ...parts, routes: allRoutes })));
      return { status: 200, body: document, headers: { 'Content-Type': JSON_TYPE } };
    },
  });
  const allRoutes: readonly AnyRoute[] = [
    ...routes,
    ...tagged('Reference', [documentRoute, ...docsRoutes(parts.title, parts.bucket)]),
  ];
  return allRoutes;
};
