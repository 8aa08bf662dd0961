import { expect } from 'chai';
import {
  COUNT,
  constant,
  FLAG,
  LIST,
  nullable,
  OBJECT,
  object,
  oneOf,
  problemOf,
  type Schema,
  TEXT,
  union,
} from '../../core/schema.ts';
import { validatorOf } from '../../servers/http/input/built-or-compiled-validator.ts';

describe('A nullable schema', () => {
  const schemas: Readonly<Record<string, Schema>> = {
    'a text': TEXT,
    'a flag': FLAG,
    'a count': COUNT,
    'a list': LIST,
    'an object': OBJECT,
    'an object or null': nullable(OBJECT),
    'one of some words': oneOf(['on', 'off']),
    'one constant': constant('on'),
    'one of several objects': union([object({ name: TEXT }), object({ size: COUNT })]),
  };

  for (const [name, described] of Object.entries(schemas)) {
    it(`accepts null in requests and embedded calls if it is otherwise ${name}`, async () => {
      const schema = nullable(described);
      expect(problemOf(schema, null, 'value')).to.equal(undefined);
      const isValid = await validatorOf(schema);
      expect([isValid(null), isValid(-1)]).to.deep.equal([true, false]);
    });
  }
});
