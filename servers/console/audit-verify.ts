import type { Accounts } from '../../core/index.ts';
import { ok } from '../http/answer.ts';
import { type AnyRoute, route } from '../http/route.ts';
import { view } from './act-route.ts';
import { auditCheckAnswer } from './answers/audit-check.ts';

const PATH = '/api/admin/audit/verify';

/** The check of the whole audit log, which runs in the background. */
export const auditVerifyRoutes = ({ operate }: Accounts): readonly AnyRoute[] => [
  // It changes nothing that belongs to anybody: no reason is asked for, and no fresh proof.
  route({
    method: 'POST',
    path: PATH,
    summary: 'Begin a check of the whole audit log, one at a time',
    access: 'console',
    bucket: 'acts',
    answers: {
      202: { description: 'It begins.', schema: auditCheckAnswer },
      409: { description: 'One is under way.', errors: ['already_running'] },
    },
    run: async () => ({ status: 202, body: await operate.startAuditCheck() }),
  }),
  view({
    path: PATH,
    summary: 'Show how far the check of the audit log is, with the last verdict',
    answers: { 200: { description: 'The check.', schema: auditCheckAnswer } },
    run: async () => ok(await operate.showAuditCheck()),
  }),
];
