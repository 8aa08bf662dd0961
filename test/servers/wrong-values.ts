import type { JsonSchema } from '../../core/schema.ts';
import type { AnyRoute, Route } from '../../servers/http/route.ts';

/** A word in every text that is sent; it must appear in no store, log or response. */
export const CANARY = 'canary-word';

/** A route without its specific types. */
export const plain = (route: AnyRoute): Route => route as unknown as Route;

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
};

const accepts = (schema: JsonSchema, value: unknown): boolean => {
  if (schema.type === undefined) return true;
  const types: readonly string[] = [schema.type].flat();
  const type = typeOf(value);
  return types.includes(type) || (type === 'integer' && types.includes('number'));
};

/** An object with `__proto__` as an own member. */
const withPrototype: unknown = JSON.parse(`{"__proto__":{"isOperatorTeam":true,"length":1,"x":"${CANARY}"}}`);

/** Values that clients send by mistake and attackers on purpose. */
const ODD_VALUES: Readonly<Record<string, unknown>> = {
  null: null,
  true: true,
  'a number': 7,
  'a fraction': 0.5,
  'a text': CANARY,
  'a list': [CANARY],
  'a list in a list': [[CANARY]],
  'an empty object': {},
  'an operator object $ne': { $ne: '' },
  'an operator object $gt': { $gt: '' },
  'an operator object $regex': { $regex: CANARY },
  'an object with toString': { toString: CANARY },
  'an object with __proto__': withPrototype,
};

/** Values that the schema does not allow, by description. */
export const wrongFor = (schema: JsonSchema): Readonly<Record<string, unknown>> => {
  const wrong = Object.fromEntries(Object.entries(ODD_VALUES).filter(([, value]) => !accepts(schema, value)));
  const { maxLength } = { maxLength: undefined, ...schema };
  return maxLength === undefined ? wrong : { ...wrong, 'a text that is too long': 'x'.repeat(maxLength + 1) };
};

const sampleOf = (name: string, schema: JsonSchema): unknown => {
  if (name === 'email') return `${CANARY}@example.com`;
  switch ([schema.type].flat()[0]) {
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return 'minimum' in schema ? (schema.minimum ?? 1) : 1;
    case 'array':
      return [];
    case 'object':
      return sampleBody(schema);
    default: {
      const { minLength = 1, maxLength = 32, enum: words } = schema;
      return words?.[0] ?? CANARY.padEnd(minLength, 'x').slice(0, maxLength);
    }
  }
};

/** A body that the schema allows, with every member. */
export const sampleBody = ({ properties = {} }: JsonSchema): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, sampleOf(name, schema)]));
