import {
  type Document,
  type Media,
  type Operation,
  type Parameter,
  type Response,
  resolve,
  type Schema,
} from './openapi-document.ts';

const comment = (text: string | undefined) =>
  text === undefined ? '' : `/** ${text.replaceAll('*/', '*')} */\n`;
const union = (types: readonly string[]) => [...new Set(types)].join(' | ');

/** The type to which a `$ref` such as `#/components/schemas/Success` refers. */
const refer = (ref: string) => {
  const [, , kind, name] = ref.split('/');
  return `components['${kind}']['${name}']`;
};

const membersOf = ({ properties = {}, required = [] }: Schema): string =>
  Object.entries(properties)
    .map(
      ([name, member]) =>
        `${comment(member.description)}${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${typeOf(member)};`,
    )
    .join('\n');

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** The union of a schema's primitive types; `unknown` for a schema without a type. */
const primitivesOf = ({ type = [] }: Schema): string =>
  union([type].flat().map((name) => PRIMITIVES[name] ?? 'unknown')) || 'unknown';

/** The TypeScript type of what a schema describes. */
const typeOf = (schema: Schema): string => {
  if (schema.$ref !== undefined) return refer(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map((value) => JSON.stringify(value)));
  if (schema.oneOf !== undefined) return union(schema.oneOf.map(typeOf));
  if (schema.type === 'array') return `(${typeOf(schema.items ?? {})})[]`;
  if (schema.format === 'binary') return 'WebBlob';
  if (schema.type !== 'object') return primitivesOf(schema);
  return schema.properties === undefined ? 'Record<string, unknown>' : `{\n${membersOf(schema)}\n}`;
};

const contentOf = (content: Readonly<Record<string, Media>>) =>
  `{ ${Object.entries(content)
    .map(([type, { schema }]) => `${JSON.stringify(type)}: ${typeOf(schema)};`)
    .join(' ')} }`;

const parametersOf = (document: Document, parameters: readonly Parameter[]): string => {
  const resolved = parameters.map((parameter) => resolve(document, parameter));
  const group = (where: Parameter['in']): string => {
    const inGroup = resolved.filter((parameter) => parameter.in === where);
    if (inGroup.length === 0) return `${where}?: never;`;
    const members = inGroup.map(
      ({ name, required, schema, description }) =>
        `${comment(description)}${JSON.stringify(name)}${required ? '' : '?'}: ${typeOf(schema)};`,
    );
    return `${where}${inGroup.some(({ required }) => required) ? '' : '?'}: {\n${members.join('\n')}\n};`;
  };
  return `{ ${group('query')} ${group('header')} ${group('path')} cookie?: never; }`;
};

/** The content that the client asks for: JSON if there is a choice. HTML is for browsers that open the address. */
const preferredContent = (content: Readonly<Record<string, Media>>) => {
  const { 'application/json': json } = content;
  return json === undefined ? content : { 'application/json': json };
};

const responseOf = ({ $ref, content }: Response): string => {
  if ($ref !== undefined) return refer($ref);
  const contentMember =
    content === undefined ? 'content?: never;' : `content: ${contentOf(preferredContent(content))};`;
  return `{ headers: { [name: string]: unknown }; ${contentMember} }`;
};

const operationOf = (document: Document, { parameters, requestBody, responses }: Operation): string => {
  const body =
    requestBody === undefined
      ? 'requestBody?: never;'
      : `requestBody${requestBody.required ? '' : '?'}: { content: ${contentOf(requestBody.content)} };`;
  const members = Object.entries(responses).map(
    ([status, response]) => `${comment(response.description)}${status}: ${responseOf(response)};`,
  );
  return `{ parameters: ${parametersOf(document, parameters)}; ${body} responses: {\n${members.join('\n')}\n}; }`;
};

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/**
 * The types of a document in the form that openapi-fetch reads. openapi-typescript makes the same form, but needs the
 * compiler of TypeScript 5.
 */
export const typesOf = (document: Document, name: string): string => {
  const paths = Object.entries(document.paths).map(([path, operations]) => {
    const members = METHODS.map((method) => {
      const operation = operations[method];
      return operation === undefined
        ? `${method}?: never;`
        : `${comment(operation.summary)}${method}: ${operationOf(document, operation)};`;
    });
    return `${JSON.stringify(path)}: {\n${members.join('\n')}\n};`;
  });
  const schemas = Object.entries(document.components.schemas).map(
    ([title, schema]) => `${comment(schema.description)}${title}: ${typeOf(schema)};`,
  );
  const responses = Object.entries(document.components.responses).map(
    ([title, response]) => `${comment(response.description)}${title}: ${responseOf(response)};`,
  );
  const declared = `export interface paths {\n${paths.join('\n')}\n}\n`;
  return [
    `// @generated by npm run build from docs/openapi-${name}.json: change the routes.`,
    ...(declared.includes('WebBlob') ? ["import type { WebBlob } from './fetch-types.ts';"] : []),
    declared,
    `export interface components {\nschemas: {\n${schemas.join('\n')}\n};\nresponses: {\n${responses.join('\n')}\n};\n}\n`,
  ].join('\n\n');
};
