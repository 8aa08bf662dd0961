import type { AuditCheck } from '../../../core/index.ts';
import { answerOf, nullable } from '../../http/schema.ts';

const count = (description: string, example: number) =>
  ({ type: 'integer', description, examples: [example] }) as const;

const time = (description: string) =>
  ({
    type: ['string', 'null'],
    format: 'date-time',
    description,
    examples: ['2026-11-21T18:00:00.000Z'],
  }) as const;

const brokenRow = nullable({
  type: 'object',
  title: 'BrokenRow',
  properties: {
    number: count('The first row that is not as it was written', 17),
    fault: { type: 'string', enum: ['altered', 'removed', 'reordered', 'cut off'] },
    problem: { type: 'string', description: 'For people', examples: ['it is missing'] },
  },
  required: ['number', 'fault', 'problem'],
});

const verdict = nullable({
  type: 'object',
  title: 'AuditVerdict',
  properties: {
    intact: { type: 'boolean', examples: [true] },
    rows: count('Rows in the log', 1_204),
    erased: count('Rows whose content went with the user they were about', 12),
    head: {
      type: ['string', 'null'],
      description: 'The newest row as `gatehouse audit verify --head` takes it; null while the log is empty',
      examples: ['1204.9s3K.b2hV'],
    },
    broken: { ...brokenRow, examples: [null] },
  },
  required: ['intact', 'rows', 'erased', 'head', 'broken'],
});

export const auditCheckResponse = answerOf<AuditCheck>()({
  type: 'object',
  title: 'AuditCheck',
  properties: {
    state: { type: 'string', enum: ['none', 'running', 'done'] },
    checked: count('Rows looked at so far', 600),
    rows: count('Rows in the log when the check was asked for', 1_204),
    startedAt: time('Null where none was ever asked for'),
    verdict,
    endedAt: time('When the check of the verdict ended'),
  },
  required: ['state', 'checked', 'rows', 'startedAt', 'verdict', 'endedAt'],
});
