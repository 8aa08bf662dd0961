import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import {
  type Document,
  type Operation,
  type Response,
  resolve,
  type Schema,
} from '../../../cli/build/openapi-document.ts';
import type { ServiceName } from '../../../servers/index.ts';
import { root } from './root.ts';

/** An answer that a service sent. */
export interface DocumentedAnswer {
  readonly method: string;
  /** Includes the query, if any. */
  readonly path: string;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined if the answer was too long to be stored. */
  readonly text: string | undefined;
}

/** Headers of HTTP, CORS and HTTPS, and security headers for browsers, which the documents do not list. */
const UNDOCUMENTED_HEADERS =
  /^(?:date|server|connection|keep-alive|content-type|content-length|content-encoding|transfer-encoding|vary|allow|access-control-.*|strict-transport-security|x-frame-options|cross-origin-(?:opener|resource)-policy|permissions-policy|referrer-policy)$/;

/** Documented paths that exist only with some settings. */
const OFF = /^\/(?:sandbox\/|api\/auth\/(?:session\/token$|providers(?:\/|$)|reauthenticate\/\{provider\}$))/;

/** The schema, which refuses further members in every object that lists its members. */
const closed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, closed(member)]));
  return copy.type === 'object' && copy.properties !== undefined
    ? { ...copy, additionalProperties: false }
    : copy;
};

const isId = (text: string) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
const isTime = (text: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text);
const isDate = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text);

const makeFind = ({ paths }: Document) => {
  const patterns = Object.entries(paths)
    .filter(([path]) => path.includes('{'))
    .map(([path]) => ({ path, fits: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }));
  return (path: string): string | undefined =>
    path in paths ? path : patterns.find(({ fits }) => fits.test(path))?.path;
};

/** Reads an OpenAPI document of docs/. `problem` describes what in an answer the document does not allow. */
const makeJudge = (name: string) => {
  const document: Document = JSON.parse(readFileSync(join(root, `docs/openapi-${name}.json`), 'utf8'));
  const find = makeFind(document);
  const ajv = new Ajv({ strict: false, meta: false, validateSchema: false, allErrors: true });
  ajv.addFormat('uuid', isId).addFormat('date-time', isTime).addFormat('date', isDate);
  ajv.addFormat('email', /^\S+@\S+$/).addFormat('uri', (text) => URL.canParse(text));
  const { schemas } = document.components;
  ajv.addSchema({ $id: 'document', components: { schemas: Object(closed(schemas)) } });
  const compiled = new Map<Schema, ValidateFunction>();

  const compile = (schema: Schema): ValidateFunction =>
    ajv.compile(
      JSON.parse(JSON.stringify(closed(schema)).replaceAll('"#/components', '"document#/components')),
    );
  const checkOf = (schema: Schema): ValidateFunction => {
    const check = compiled.get(schema) ?? compile(schema);
    compiled.set(schema, check);
    return check;
  };

  const wrongHeader = ({ headers }: DocumentedAnswer, documented: Response): string | undefined => {
    const expected = Object.entries(documented.headers ?? {}).map(
      ([title, header]) => [title.toLowerCase(), resolve(document, header).required ?? false] as const,
    );
    const names = expected.map(([title]) => title);
    const missing = expected.find(([title, required]) => required && headers[title] === undefined);
    if (missing !== undefined) return `has no header ${missing[0]}`;
    const unexpected = Object.keys(headers).find(
      (title) => !UNDOCUMENTED_HEADERS.test(title) && !names.includes(title),
    );
    return unexpected === undefined ? undefined : `has the header ${unexpected}`;
  };

  const wrongBody = (answer: DocumentedAnswer, documented: Response): string | undefined => {
    const { headers, method, text } = answer;
    const [type = ''] = (headers['content-type'] ?? '').split(';');
    if (documented.content === undefined) return text ? `has the body ${text}` : undefined;
    const media = documented.content[type];
    if (media === undefined) return `is of the type ${type}`;
    if (method === 'HEAD' || text === undefined || type !== 'application/json') return undefined;
    const validate = checkOf(media.schema);
    if (validate(JSON.parse(text))) return undefined;
    return `${text.slice(0, 400)}: ${ajv.errorsText(validate.errors)}`;
  };

  return {
    problem: (answer: DocumentedAnswer): string | undefined => {
      const [pathname = ''] = answer.path.split('?');
      const path = find(pathname);
      const method = answer.method === 'HEAD' ? 'get' : answer.method.toLowerCase();
      const operation: Operation | undefined =
        path === undefined ? undefined : document.paths[path]?.[method];
      // Answers to unknown paths and methods are documented in general, not for a path.
      const isOtherMethod = answer.method === 'HEAD' && answer.status === 405;
      if (isOtherMethod || operation === undefined || path === undefined) return undefined;
      const response = operation.responses[answer.status];
      const documented = response && resolve(document, response);
      // These paths do not exist if the settings turn them off.
      if (OFF.test(path) && answer.status === 404) return undefined;
      const wrong = documented
        ? (wrongHeader(answer, documented) ?? wrongBody(answer, documented))
        : 'is not stated';
      return wrong === undefined ? undefined : `${answer.method} ${path}: ${answer.status} ${wrong}`;
    },
  };
};

export type Judge = ReturnType<typeof makeJudge>;

const judges = new Map<string, Judge>();

/** The judge of a service's answers by its OpenAPI document. */
export const judgeOf = (name: ServiceName): Judge => {
  const judge = judges.get(name) ?? makeJudge(name);
  judges.set(name, judge);
  return judge;
};
