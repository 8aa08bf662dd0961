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

/** An answer of one of the services, as it went out. */
export interface Answered {
  readonly method: string;
  /** With the query, if any. */
  readonly path: string;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined where it is not known, as of an answer too long to be kept. */
  readonly text: string | undefined;
}

/** Headers of HTTP itself, of CORS and of https, and those by which browsers shield a page: the document speaks of none. */
const PLAIN =
  /^(?:date|server|connection|keep-alive|content-type|content-length|content-encoding|transfer-encoding|vary|allow|access-control-.*|strict-transport-security|x-frame-options|cross-origin-(?:opener|resource)-policy|permissions-policy|referrer-policy)$/;

/** What is there only with some settings: the document describes it all the same. */
const OFF = /^\/(?:sandbox\/|api\/auth\/(?:session\/token$|providers(?:\/|$)|reauthenticate\/\{provider\}$))/;

/** The same, with members that are not named refused wherever some are. */
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

/** Reads a document of docs/, and gives what judges answers by it: in words what it does not say of one. */
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

  const wrongHeader = ({ headers }: Answered, documented: Response): string | undefined => {
    const stated = Object.entries(documented.headers ?? {}).map(
      ([title, header]) => [title.toLowerCase(), resolve(document, header).required ?? false] as const,
    );
    const names = stated.map(([title]) => title);
    const missing = stated.find(([title, required]) => required && headers[title] === undefined);
    if (missing !== undefined) return `has no header ${missing[0]}`;
    const other = Object.keys(headers).find((title) => !PLAIN.test(title) && !names.includes(title));
    return other === undefined ? undefined : `has the header ${other}`;
  };

  const wrongBody = (answer: Answered, documented: Response): string | undefined => {
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
    problem: (answer: Answered): string | undefined => {
      const [pathname = ''] = answer.path.split('?');
      const path = find(pathname);
      const method = answer.method === 'HEAD' ? 'get' : answer.method.toLowerCase();
      const operation: Operation | undefined =
        path === undefined ? undefined : document.paths[path]?.[method];
      // What is said of every path, and of none.
      const isOtherMethod = answer.method === 'HEAD' && answer.status === 405;
      if (isOtherMethod || operation === undefined || path === undefined) return undefined;
      const stated = operation.responses[answer.status];
      const documented = stated && resolve(document, stated);
      // Where settings leave them off, there are no such paths.
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

/** What the document of a service says of an answer of it. */
export const judgeOf = (name: ServiceName): Judge => {
  const judge = judges.get(name) ?? makeJudge(name);
  judges.set(name, judge);
  return judge;
};
