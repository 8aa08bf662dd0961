import { expect } from 'chai';
import type { Statement } from '../../../../adapters/sql/database.ts';
import { makeSqlOutboxStore } from '../../../../adapters/sql/outbox-store.ts';
import { openDatabase } from '../../../../adapters/sqlite/database.ts';
import type { EmbeddedDatabase } from '../../../../adapters/sqlite/engine/database-file.ts';
import { NOW, sampleMail } from '../../../contracts/samples.ts';
import { useTempFolder } from '../../../support/temp-folder.ts';
import { explain } from './plans.ts';

describe('The outbox in SQLite', () => {
  const folder = useTempFolder();
  let database: EmbeddedDatabase;

  beforeEach(() => {
    database = openDatabase({ folder: folder() });
  });

  afterEach(() => database.close());

  it('finds due mail by index, in the order of the index, and stops at its limit', async () => {
    const statements: (Statement & { readonly rows: number })[] = [];
    const { read } = database;
    const outbox = makeSqlOutboxStore({
      ...database,
      read: {
        ...read,
        all: async (sql, params) => {
          const rows = await read.all(sql, params);
          statements.push({ sql, params, rows: rows.length });
          return rows;
        },
      },
    });
    for (let at = 0; at < 1_200; at += 400) {
      const adding = Array.from({ length: 400 }, (_, place) =>
        outbox.add('user', sampleMail(`m${at + place}`, { to: `${at + place}@example.com`, at: NOW + at })),
      );
      await Promise.all(adding);
    }
    expect(await outbox.listDue(NOW + 9_000, 100)).to.have.length(100);
    expect(statements.map(({ rows }) => rows)).to.deep.equal([500]);
    expect(await outbox.listDue(NOW - 1, 2_000)).to.have.length(1_200);
    const plans = await Promise.all(statements.map(({ sql, params }) => explain(read, sql, params)));
    const due = 'SEARCH outbox USING INDEX outbox_due ((due_at,address)>(?,?) AND due_at<?)';
    const ahead = 'SEARCH outbox USING INDEX outbox_waiting ((waits_from,address)>(?,?))';
    expect(plans).to.deep.equal([[due], [due], [ahead], [ahead], [ahead]]);
  });
});
