import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Document, resolve } from '../../cli/build/openapi-document.ts';
import { ask, type Reply } from '../support/service.ts';
import { root } from '../support/tree/root.ts';

/** Replaces values of the example that a document cannot know, such as a mailed code. */
export interface Known {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** The whole query, instead of the example's. */
  readonly only?: Readonly<Record<string, string>>;
  /** A body that is not JSON. */
  readonly text?: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly token?: string;
  /** The headers of a signed body are computed from its text. */
  readonly headers?: Record<string, string> | ((text: string) => Record<string, string>);
  /** The expected status, if the route has several successful ones. */
  readonly status?: number;
}

type Fields = Readonly<Record<string, unknown>>;

/** Sends the example requests of a document, and records their operations. */
export const makeExamples = (name: string, url: () => string) => {
  const document: Document = JSON.parse(readFileSync(join(root, `docs/openapi-${name}.json`), 'utf8'));
  const sent = new Set<string>();

  /** The request of an operation (`POST /api/auth/login`) as its examples make it. */
  const requestOf = (operation: string, given: Known) => {
    const [method = '', path = ''] = operation.split(' ');
    const found = document.paths[path]?.[method.toLowerCase()];
    if (found === undefined) throw new Error(`There is no ${operation}.`);
    const parameters = found.parameters.map((one) => resolve(document, one));
    const valuesIn = (where: string): Fields =>
      Object.fromEntries(
        parameters
          .filter((one) => one.in === where && 'example' in one)
          .map((one) => [one.name, one.example]),
      );
    const inPath: Fields = { ...valuesIn('path'), ...given.path };
    const query = Object.entries(given.only ?? { ...valuesIn('query'), ...given.query });
    const filled = path.replace(/\{(\w+)\}/g, (_, member) => String(inPath[member]));
    const example = found.requestBody?.content['application/json']?.example;
    const body = example === undefined ? (given.text ?? given.body) : { ...Object(example), ...given.body };
    const search = new URLSearchParams(
      Object.fromEntries(query.map(([key, value]) => [key, String(value)])),
    ).toString();
    const [status = '0'] = Object.keys(found.responses).filter((one) => Number(one) < 400);
    return { method, path: search ? `${filled}?${search}` : filled, body, due: Number(status) };
  };

  const note = (operation: string, status: number, due: number) => {
    expect(status, operation).to.equal(due);
    sent.add(operation);
  };

  return {
    document,
    send: async (operation: string, given: Known = {}): Promise<Reply> => {
      const { method, path, body, due } = requestOf(operation, given);
      const { token } = given;
      const headers =
        typeof given.headers === 'function' ? given.headers(JSON.stringify(body)) : given.headers;
      const reply = await ask(url(), method, path, {
        ...(body !== undefined && { body }),
        ...(token !== undefined && { token }),
        ...(headers !== undefined && { headers }),
      });
      note(operation, reply.status, given.status ?? due);
      return reply;
    },
    /** The same for a form with a file. */
    upload: async (operation: string, file: Uint8Array<ArrayBuffer>, token: string): Promise<void> => {
      const { method, path, due } = requestOf(operation, {});
      const form = new FormData();
      form.set('avatar', new Blob([file]));
      const headers = { Authorization: `Bearer ${token}` };
      const { status } = await fetch(url() + path, { method, headers, body: form });
      note(operation, status, due);
    },
    /** The operations without a sent example. */
    left: () =>
      Object.entries(document.paths)
        .flatMap(([path, operations]) =>
          Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
        )
        .filter((operation) => !sent.has(operation)),
  };
};
