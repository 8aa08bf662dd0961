import type { AuditJob, AuditRate, AuditTask } from '../audit.ts';
import { inFolder } from '../folder.ts';
import type { Measure } from '../measure.ts';
import { onPostgresql, type ServerCpu } from '../postgresql.ts';
import { startProgram } from '../program.ts';
import { atLeast, type Row } from '../verdict.ts';

const IN_FLIGHT = 512;

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);

/** Measures appends to one log by one process and by two, and the check of the whole log. */
const onStore = async (
  { seconds, say }: Measure,
  name: string,
  job: AuditJob,
  server?: ServerCpu,
): Promise<readonly Row[]> => {
  const open = () => startProgram<AuditJob, AuditRate>('audit', job);
  const programs = [await open(), await open()] as const;

  const measureTask = async (work: AuditTask['work'], count: number) => {
    say(`audit: ${name}, ${work} by ${count}`);
    const before = server?.seconds() ?? 0;
    const task = { work, seconds, inFlight: IN_FLIGHT };
    const rates = await Promise.all(
      programs.slice(0, count).map((program) => program.ask<AuditTask, AuditRate>(task)),
    );
    const rows = sum(rates.map((rate) => rate.rows));
    const inProcess = sum(rates.map((rate) => rate.cpu * rate.rows)) / rows;
    const inServer = (((server?.seconds() ?? 0) - before) * 1_000_000) / rows;
    return {
      perSecond: sum(rates.map(({ perSecond }) => perSecond)),
      cpu: `${inProcess.toFixed(0)} us of CPU a row${server === undefined ? '' : ` and ${inServer.toFixed(0)} in the server`}`,
      shares: rates.map(({ perSecond }) => Math.round(perSecond)).join(' and '),
    };
  };

  try {
    const oneProcess = await measureTask('append', 1);
    const bare = await measureTask('insert', 1);
    const two = await measureTask('append', 2);
    const check = await measureTask('verify', 1);
    const compared = { unit: '/s', reference: bare.perSecond, against: 'bare inserts by 256' } as const;
    return [
      atLeast(0.5, {
        ...compared,
        row: `audit rows, ${name}, one process`,
        product: oneProcess.perSecond,
        note: `${oneProcess.cpu}; bare ${bare.cpu}`,
      }),
      atLeast(0.5, {
        ...compared,
        row: `audit rows, ${name}, two processes`,
        product: two.perSecond,
        note: `${two.cpu}; ${two.shares} a second`,
      }),
      atLeast(1, { ...compared, row: `  verified`, product: check.perSecond, note: check.cpu }),
    ];
  } finally {
    for (const program of programs) await program.end();
  }
};

/** The audit log of an installation, which has a single chain and is written batch by batch. */
export const audit = async (measure: Measure): Promise<readonly Row[]> => [
  ...(await inFolder((folder) => onStore(measure, 'SQLite', { folder, settings: {} }))),
  ...(await onPostgresql((url, server) =>
    inFolder((folder) =>
      onStore(measure, 'PostgreSQL', { folder, url, settings: { POSTGRES_URL: url } }, server),
    ),
  )),
];
