import type { JsonSchema } from '../../../core/schema.ts';

/** A part of the document, or a `$ref` to one of its components. */
export type DocumentPart = Readonly<Record<string, unknown>>;

/** Says that an object may have any members: some generators of types take one that lists no members as empty. */
export const anyMembers = (schema: JsonSchema): DocumentPart => ({ ...schema, additionalProperties: true });

/** Collects the components of the document: schemas with a title, and answers that several routes share. */
export const makeComponents = () => {
  const answers = new Map<string, { readonly name: string; readonly answer: object }>();
  const schemasByTitle = new Map<string, JsonSchema>();
  const expandedByTitle = new Map<string, DocumentPart>();

  const membersOf = (properties: JsonSchema['properties'] = {}) =>
    Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, refer(member)]));

  /** Writes a schema out, with references in place of its parts that have a title. */
  const expand = (schema: JsonSchema): DocumentPart => {
    if (schema.oneOf !== undefined) return { ...schema, oneOf: schema.oneOf.map(refer) };
    if (schema.items !== undefined) return { ...schema, items: refer(schema.items) };
    if (schema.properties === undefined) return schema.type === 'object' ? anyMembers(schema) : { ...schema };
    return { ...schema, properties: membersOf(schema.properties) };
  };

  const refer = (schema: JsonSchema): DocumentPart => {
    const { title } = schema;
    if (title === undefined || schema.type !== 'object') return expand(schema);
    const { properties, description } = schemasByTitle.get(title) ?? schema;
    // An optional member is a copy of its schema object, so `properties` and `description` are compared, not the objects.
    if (properties !== schema.properties || description !== schema.description)
      throw new Error(`Two schemas are called ${title}.`);
    if (!schemasByTitle.has(title)) {
      schemasByTitle.set(title, schema);
      expandedByTitle.set(title, expand(schema));
    }
    return { $ref: `#/components/schemas/${title}` };
  };

  /** An answer under a name; a number is added if another answer has that name. */
  const share = (name: string, answer: object): DocumentPart => {
    const text = JSON.stringify(answer);
    const sameNamed = [...answers.values()].filter((entry) => entry.name.replace(/\d+$/, '') === name).length;
    const shared = answers.get(text) ?? { name: sameNamed === 0 ? name : `${name}${sameNamed + 1}`, answer };
    answers.set(text, shared);
    return { $ref: `#/components/responses/${shared.name}` };
  };

  return {
    /** A schema, or a reference to it if it is an object with a title. Throws if two different schemas have the same title. */
    refer,
    share,
    schemas: () => Object.fromEntries([...expandedByTitle].toSorted()),
    responses: () => Object.fromEntries([...answers.values()].map(({ name, answer }) => [name, answer])),
  };
};

export type Components = ReturnType<typeof makeComponents>;
