import { ok } from '../http/response-body.ts';
import type { AnyRoute } from '../http/route.ts';
import { view } from './act-route.ts';
import { keysResponse, type ListKeys } from './responses/keys.ts';

/** The keys. They are rotated at the command line, since that writes key files. */
export const keyRoutes = (listKeys: ListKeys): readonly AnyRoute[] => [
  view({
    path: '/api/admin/keys',
    summary: 'List the keys that sign and seal, with what each sealed',
    answers: { 200: { description: 'The keys.', schema: keysResponse } },
    run: async () => ok({ keys: await listKeys() }),
  }),
];
