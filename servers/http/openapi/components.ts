import type { ObjectSchema, Schema } from '../schema.ts';

/** Returns the schema, or a reference for one with a title, which the document holds once. */
export type Reference = Readonly<Record<string, unknown>>;

/** Collects the parts that the document holds once: schemas with a title, and answers of several routes. */
export const makeComponents = () => {
  const answers = new Map<string, { readonly name: string; readonly answer: object }>();

  const known = new Map<string, ObjectSchema>();
  const stated = new Map<string, Reference>();

  const membersOf = (properties: ObjectSchema['properties'] = {}) =>
    Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, refer(member)]));

  const spell = (schema: Schema): Reference => {
    if ('oneOf' in schema && schema.oneOf !== undefined) return { ...schema, oneOf: schema.oneOf.map(refer) };
    if (schema.type === 'array') return { ...schema, items: refer(schema.items) };
    if (schema.type !== 'object' || schema.properties === undefined) return { ...schema };
    return { ...schema, properties: membersOf(schema.properties) };
  };

  const refer = (schema: Schema): Reference => {
    const { title } = { title: undefined, ...schema };
    if (title === undefined || schema.type !== 'object') return spell(schema);
    if ((known.get(title) ?? schema) !== schema) throw new Error(`Two schemas are called ${title}.`);
    if (!known.has(title)) {
      known.set(title, schema);
      stated.set(title, spell(schema));
    }
    return { $ref: `#/components/schemas/${title}` };
  };

  /** An answer under a name; a number is added if another answer has that name. */
  const share = (name: string, answer: object): Reference => {
    const text = JSON.stringify(answer);
    const alike = [...answers.values()].filter((one) => one.name.replace(/\d+$/, '') === name).length;
    const found = answers.get(text) ?? { name: alike === 0 ? name : `${name}${alike + 1}`, answer };
    answers.set(text, found);
    return { $ref: `#/components/responses/${found.name}` };
  };

  return {
    /** A schema or a reference to it. Throws if two schemas have the same title. */
    refer,
    share,
    schemas: () => Object.fromEntries([...stated].toSorted()),
    responses: () => Object.fromEntries([...answers.values()].map(({ name, answer }) => [name, answer])),
  };
};

export type Components = ReturnType<typeof makeComponents>;
