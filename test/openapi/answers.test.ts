import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Document, type Media, type Response, resolve } from '../../cli/build/openapi-document.ts';
import { judgeOf } from '../support/tree/documented.ts';
import { root } from '../support/tree/root.ts';

const valuesOf = ({ example, examples = {} }: Media): readonly unknown[] => [
  ...(example === undefined ? [] : [example]),
  ...Object.values(examples).map(({ value }) => value),
];

for (const name of ['accounts', 'metadata', 'console'] as const) {
  describe(`The responses in the ${name} document`, () => {
    const document: Document = JSON.parse(readFileSync(join(root, `docs/openapi-${name}.json`), 'utf8'));
    const answers = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { responses }]) =>
        Object.entries(responses).map(([status, given]) => ({
          operation: `${method.toUpperCase()} ${path}`,
          status: Number(status),
          answer: resolve(document, given),
        })),
      ),
    );
    const headersOf = ({ headers = {} }: Response) =>
      Object.fromEntries(
        Object.entries(headers)
          .filter(([, header]) => resolve(document, header).required)
          .map(([title]) => [title.toLowerCase(), 'x']),
      );

    it('have examples that match their schemas', () => {
      const { problem } = judgeOf(name);
      for (const { operation, status, answer } of answers) {
        const [method = '', path = ''] = operation.split(' ');
        const json = answer.content?.['application/json'];
        if (json === undefined || path === '/openapi.json') continue;
        expect(valuesOf(json), `${operation} ${status}`).not.to.be.empty;
        for (const value of valuesOf(json)) {
          const headers = { 'content-type': 'application/json', ...headersOf(answer) };
          const text = JSON.stringify(value);
          const asked = path.replaceAll(/\{\w+\}/g, 'x');
          expect(problem({ method, path: asked, status, headers, text })).to.equal(undefined);
          expect(text, `${operation} ${status}`).not.to.match(/""|undefined/);
        }
      }
    });

    it('have Retry-After and WWW-Authenticate where a client needs them', () => {
      for (const { operation, status, answer } of answers) {
        const names = Object.keys(headersOf(answer));
        expect(names.includes('retry-after'), operation).to.equal(status === 429 || status === 503);
        expect(names.includes('www-authenticate'), operation).to.equal(status === 401);
        expect(names, operation).to.include('x-request-id');
      }
    });

    it('include for each operation a success and the common errors', () => {
      for (const operation of new Set(answers.map((one) => one.operation))) {
        const statuses = answers.filter((one) => one.operation === operation).map(({ status }) => status);
        expect(statuses, operation).to.include.members([400, 408, 417, 431, 500, 503]);
        expect(
          statuses.some((status) => status < 400),
          operation,
        ).to.equal(true);
      }
    });
  });
}
