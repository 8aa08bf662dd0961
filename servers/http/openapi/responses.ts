import type { JsonSchema } from '../../../core/schema.ts';
import type { ErrorStyle } from '../errors.ts';
import type { Limits } from '../rate-limit.ts';
import type { AnswerDoc, Route } from '../route.ts';
import { anyMembers, type Components } from './components.ts';
import { exampleOf } from './example.ts';
import { headersOf } from './headers.ts';
import { type Refusal, refusalsOf } from './refusals.ts';

/** The inputs that the descriptions of all operations share. */
export interface OperationParts {
  readonly style: ErrorStyle;
  readonly limits: Limits;
  readonly components: Components;
  /** The name of the session cookie; absent for a service without such a cookie. */
  readonly cookieName?: string | undefined;
  readonly idOf: (route: Route) => string;
}

/** One example, or one for each of several forms. */
const examples = (schema: NonNullable<AnswerDoc['schema']>) =>
  'oneOf' in schema
    ? {
        examples: Object.fromEntries(
          schema.oneOf.map((form, index) => [form.title ?? String(index), { value: exampleOf(form) }]),
        ),
      }
    : { example: exampleOf(schema) };

/** The description of a body without a schema, by its media type. */
const mediaTypeObject = (type: string) => {
  if (type === 'application/json') return { schema: anyMembers({ type: 'object' }) };
  if (type.startsWith('text/')) return { schema: { type: 'string' } };
  return { schema: { type: 'string', contentMediaType: 'application/octet-stream' } };
};

const successResponse = ({ description, schema, types = [] }: AnswerDoc, { refer }: Components) => {
  const content =
    schema === undefined
      ? Object.fromEntries(types.map((type) => [type, mediaTypeObject(type)]))
      : { 'application/json': { schema: refer(schema), ...examples(schema) } };
  return { description, ...(Object.keys(content).length > 0 && { content }) };
};

/** Only services of the style `account` have error pages. A request that never reaches an app (408) is refused in JSON. */
const mayBePage = (status: number, { style }: OperationParts): boolean =>
  style === 'account' && status !== 408;

const refusalResponse = (
  status: number,
  { description, codes, details = {} }: Refusal,
  parts: OperationParts,
) => {
  const { style, components } = parts;
  const name = style === 'account' ? 'code' : 'error';
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      message: { type: 'string', description: 'For people' },
      [name]: { type: 'string', description: 'For programs', enum: codes },
      ...details,
    },
    required: [name, 'message'],
  };
  return {
    description,
    content: {
      'application/json': {
        schema: components.refer(schema),
        example: { message: description, [name]: codes[0] },
      },
      ...(mayBePage(status, parts) && { 'text/html': mediaTypeObject('text/html') }),
    },
  };
};

/** Every answer of a route, by its status. */
export const makeResponses = (route: Route, parts: OperationParts) => {
  const responses = new Map<number, object>();
  for (const [status, doc] of Object.entries(route.answers))
    if (doc.errors === undefined && Number(status) < 400)
      responses.set(Number(status), {
        ...successResponse(doc, parts.components),
        headers: headersOf(route, Number(status), parts.cookieName),
      });
  for (const [status, refusal] of refusalsOf(route, parts.style, parts.cookieName !== undefined)) {
    const answer = {
      ...refusalResponse(status, refusal, parts),
      headers: headersOf(route, status, parts.cookieName, mayBePage(status, parts)),
    };
    // An answer that the route describes itself stands in its operation.
    responses.set(status, status in route.answers ? answer : parts.components.share(refusal.name, answer));
  }
  return Object.fromEntries(responses);
};
