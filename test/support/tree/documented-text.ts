import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Document, resolve } from '../../../cli/build/openapi-document.ts';
import { root } from './root.ts';

/** The value with each reference replaced by its target. No schema refers to itself. */
const withoutReferences = (document: Document, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((item) => withoutReferences(document, item));
  if (typeof value !== 'object' || value === null) return value;
  if ('$ref' in value && typeof value.$ref === 'string')
    return withoutReferences(document, resolve(document, { $ref: value.$ref }));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withoutReferences(document, member)]),
  );
};

/** The JSON text of an operation, and of its responses by status. */
export interface DocumentedText {
  readonly text: string;
  readonly responses: Readonly<Record<string, string>>;
}

const operationsOf = (service: 'accounts' | 'metadata') => {
  const document: Document = JSON.parse(readFileSync(join(root, `docs/openapi-${service}.json`), 'utf8'));
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]): readonly [string, DocumentedText] => {
      const responses = Object.entries(operation.responses).map(([status, response]) => [
        status,
        JSON.stringify(withoutReferences(document, response)),
      ]);
      const text = JSON.stringify(withoutReferences(document, operation));
      return [`${method.toUpperCase()} ${path}`, { text, responses: Object.fromEntries(responses) }];
    }),
  );
};

/** The texts of the OpenAPI documents about each endpoint, by method and path. */
export const documentedTexts = (): ReadonlyMap<string, DocumentedText> =>
  new Map([...operationsOf('accounts'), ...operationsOf('metadata')]);
