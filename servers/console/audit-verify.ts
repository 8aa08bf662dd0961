import { auditCheck } from '../../core/accounts/admin/background-audit-check.ts';
import type { Accounts } from '../../core/index.ts';
import { ok } from '../http/response-body.ts';
import { type AnyRoute, route } from '../http/route.ts';
import { view } from './action-route.ts';

const PATH = '/api/admin/audit/verify';

/** The check of the whole audit log, which runs in the background. */
export const auditVerifyRoutes = ({ operate }: Accounts): readonly AnyRoute[] => [
  // It changes no user's data, so it needs neither a reason nor a fresh proof.
  route({
    method: 'POST',
    path: PATH,
    summary: 'Begin a check of the whole audit log, one at a time',
    access: 'console',
    bucket: 'acts',
    answers: {
      202: { description: 'The check begins.', schema: auditCheck },
      409: { description: 'A check is running.', errors: ['already_running'] },
    },
    run: async () => ({ status: 202, body: await operate.startAuditCheck() }),
  }),
  view({
    path: PATH,
    summary: 'Show the progress of the audit log’s check, with the last verdict',
    answers: { 200: { description: 'The check.', schema: auditCheck } },
    run: async () => ok(await operate.showAuditCheck()),
  }),
];
